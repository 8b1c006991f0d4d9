import numpy as np
from scipy.optimize import minimize


def depth(k):
    best = minimize(lambda x: np.exp(-k * x[0]) + x[0], [1.0], bounds=[(0.0, 5.0)])
    return best.x[0]

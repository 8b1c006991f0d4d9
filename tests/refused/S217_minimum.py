import numpy as np
from scipy.optimize import minimize_scalar


def depth(k):
    best = minimize_scalar(lambda x: np.exp(-k * x) + x, bounds=(0.0, 5.0))
    return best.x

import numpy as np
from scipy.integrate import solve_ivp


def mean(k):
    sol = solve_ivp(lambda t, y: -k * y, (0.0, 2.0), [1.0])
    return np.mean(sol.y[0])

import numpy as np


def clamp_ends(x):
    y = x**2
    y[[0, -1]] = 0.0
    return np.sum(y * x)


# s2s verify S202_put_rewritten.py::clamp_ends --at "x=np.array([0.3, 0.8, 1.1, 0.4])"

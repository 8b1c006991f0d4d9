import numpy as np


def _put(b, v):
    b[0] = 10.0 * v


def handed_over(x):
    b, c = np.zeros(3), np.zeros(3)
    _put(b, x[0])
    _put(c, x[1])
    return np.sum(b * x) + np.sum(c * x)


# s2s verify S241_integers_handed_over_rewritten.py::handed_over --at 'x=np.array([0.1, 0.8, -0.3])'

import numpy as np


def shifted(x):
    y = x**2
    v = y[:]
    v[0] = 2.0 * y[1]
    return np.sum(y * x)


# s2s verify S242_unknown_view_rewritten.py::shifted --at "x=np.array([0.3, 0.8, 0.5])"

"""A new array in a tuple within a tuple, beside one that is written: what was added to its adjoint went on to nothing."""

import numpy as np


def deep(x, y):
    return x, ((x * y, x), y)


def f(u, v):
    u = u.copy()
    a, b = ((u * v, u), v)[0]
    a[1] = 2.0 * b[0]
    b[0] = 3.0
    c, d = deep(u, v)[1][0]
    c[1] = 2.0 * d[0] * a[0]
    d[2] *= a[1]
    return np.sum(a**2) + np.sum(b**3) + np.sum(c * u)


ARGS = (np.array([0.3, 0.4, 0.6]), np.array([0.5, 0.7, 0.4]))

"""A new array that is unpacked with a star, beside one that is written: its adjoint went on to nothing."""

import numpy as np


def f(u, v):
    u = u.copy()
    a, *b = ((v * u, u, v), v)[0]
    c = b[0]
    c[0] = 3.0 * a[1]
    *p, q = ((u, v, u * v), v)[0]
    p[0][1] = 3.0 * q[1]
    return np.sum(a**2) + np.sum(b[0] ** 3) + np.sum(u * q)


ARGS = (np.array([0.3, 0.4, 0.6]), np.array([0.5, 0.7, 0.4]))

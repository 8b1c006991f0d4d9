"""The results are unpacked behind the call: new adjoints are bound beside them, and what these get goes to the call."""

import numpy as np


def two(x, y):
    return x * y, x + 2.0 * y


def f(u):
    a, b = u.copy(), np.ones(3)
    (b, q), a = two(b, a), b
    for _i in range(3):
        x = b
        x += b
        b = x + a
        a[0] = b[1]
    return np.sum(a) + np.sum(b * u) + q[0]


ARGS = (np.array([0.6, 0.3, 0.8]),)

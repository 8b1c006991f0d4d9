"""A self-update through a key: the adjoint goes back through the same key."""

import numpy as np


def f(x, n):
    y = x * x
    for k in range(n):
        y = y[::-1]
        y = y * x
    return np.sum(y[1:] * x[:-1])


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 3)
WRT = ("x",)

"""The shape of a carried array changes in every iteration."""

import numpy as np


def f(x, n):
    y = x * 1.0
    for k in range(n):
        y = y[1:] * y[:-1] + y[1:]
    return np.sum(y**2)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 3)
WRT = ("x",)

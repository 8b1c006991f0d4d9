"""A helper returns a number of Python's or an item of an array that it writes: the cotangent had no method `copy`."""

import numpy as np


def spread(u, x, n):
    if n <= 0:
        return x
    u[1] = x
    return 0.3


def f(u, n):
    y = spread(u, u[1], n)
    return y


ARGS = (np.array([0.4, -0.2, 0.7]), 2)
WRT = ("u",)
SCALAR = False

"""A recursive helper that writes into its argument: the analysis of its writes and its adjoint come to an end."""

import numpy as np


def shrink(x, n):
    if n == 0:
        return
    x[0] = x[0] * x[1]
    shrink(x, n - 1)


def f(x, n):
    y = x * 2.0
    shrink(y, n)
    return y[0] * y[1]


ARGS = (np.array([0.7, -1.2, 0.4]), 3)
WRT = ("x",)

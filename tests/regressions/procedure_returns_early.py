"""A helper without a result returns early: its adjoint stops there, too."""

import numpy as np


def step(x, n):
    if n == 0:
        return
    x[0] = x[0] * x[1]


def f(x, n):
    y = x * 2.0
    step(y, n)
    return y[0] * y[1]


ARGS = (np.array([0.7, -1.2, 0.4]), 0)
WRT = ("x",)

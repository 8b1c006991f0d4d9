"""What a helper of a helper writes before an early return has an adjoint, whichever exit is taken."""

import numpy as np


def inner(x):
    x[1] = x[1] * x[2]


def step(x, n):
    inner(x)
    if n == 0:
        return
    x[0] = x[0] * x[1]


def f(x, n):
    y = x * 2.0
    step(y, n)
    return y[0] * y[1]


ARGS = (np.array([0.7, -1.2, 0.4]), 0)
WRT = ("x",)

"""The adjoint passes a loop that made no trip."""

import numpy as np


def f(x):
    y = x * x
    while y < 0.5:
        y = y * x + 1.0
    return y * x


ARGS = (1.7,)

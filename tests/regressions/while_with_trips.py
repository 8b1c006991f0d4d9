"""The trip count is known at run time only."""

import numpy as np


def f(x):
    y = x * x
    while y < 50.0:
        y = y * y * x + 1.0
    return y * x


ARGS = (1.7,)

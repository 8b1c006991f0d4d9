"""First, rest and last of an array of scalars."""

import numpy as np


def f(x):
    first, *rest, last = x[0] * x[1], x[1] ** 2, x[2] * x[3], x[4]
    return first * rest[0] + rest[1] * last


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

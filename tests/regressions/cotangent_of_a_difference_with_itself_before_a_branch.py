"""The cotangent that a branch scales is a number, zero, where the values behind it cancel: it has the shape of y."""

import numpy as np


def f(y):
    if np.sum(y) > 0.3:
        y = y + y
    return np.sum(y - y)


ARGS = (np.array([1.1]),)

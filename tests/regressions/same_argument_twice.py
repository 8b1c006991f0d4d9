"""A helper that gets one name for two parameters."""

import numpy as np


def g(a, b):
    return a * np.sin(b)


def f(x):
    y = g(x, x)
    y = g(y, x)
    return np.sum(y)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

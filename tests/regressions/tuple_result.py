"""A cotangent of the structure of the result."""

import numpy as np


def f(x, c):
    y = np.sin(x) * c
    return np.sum(y), y * x, c


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 1.4)
SCALAR = False

"""x + x: two contributions to one name in one statement."""

import numpy as np


def f(x):
    y = x + x
    y = y - x
    return np.sum(y * y)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

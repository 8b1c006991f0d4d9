"""np.sum(x + s): the cotangent of s counts the entries of x."""

import numpy as np


def f(x, s):
    return np.sum(x + s)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 0.3)

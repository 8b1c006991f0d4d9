"""The cotangents of a list are displayed at once, and one is added to: it may be an argument, an array of rank 0."""

import numpy as np


def f(x, y):
    L = [x, y]
    last = L[1]
    return L[0] * L[1] + last + y * x


ARGS = (np.array(0.7), np.array(1.2))

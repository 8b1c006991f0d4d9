"""The cotangents of a list's items are no second names of the array that goes on growing."""

import numpy as np


def f(x, w):
    w = x * w
    hs = [w * j for j in range(3)]
    for h in hs:
        w = w + h
    return np.sum(w * w)


ARGS = (np.array([0.7, 0.4, 1.3]), np.array([0.5, -0.6, 0.8]))

"""A row of an array whose rank is not stated, written by a helper: it was taken for a number, the array for untouched."""

import numpy as np


def overwrite(u):
    u[0] = 1.5
    return np.sum(u**2)


def f(v, W):
    return overwrite(W[-1]) * np.sum(np.sin(W * v))


ARGS = (0.7, np.array([[0.3, 0.4, 0.5], [0.6, 0.7, 0.05]]))

"""The key of a store that computes more than an index is named before, and so is each call inside it."""

import numpy as np


def f(x, k):
    y = np.zeros((len(x) + 2, len(x) + 2))
    i = np.arange(len(x))
    y[i + max(-k, 0), i + max(k, 0)] = np.sin(x)
    return np.sum(y**2 * np.cos(y))


ARGS = (np.array([0.7, -1.2, 0.4]), 2)
WRT = ("x",)

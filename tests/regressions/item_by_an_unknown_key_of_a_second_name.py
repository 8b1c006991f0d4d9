"""Zeros of the shape of an array of integers cut off what was added to an item by a key of no stated kind."""

import numpy as np


def f(v, n):
    w = v
    if n > 1:
        w = v
    a = w[n % 3]
    if a > 0.3:
        return a * 3.3
    return a + np.sum(np.sin(w))


ARGS = (np.array([2.0, 1.0, 3.0]), 2)

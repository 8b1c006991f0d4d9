"""Tangents of points between an array and a number, and of an outer sum with one active operand, lost an axis."""

import numpy as np


def f(x, y, c):
    a = np.geomspace(x, y, 4)
    b = np.logspace(y, np.log(x), 3, endpoint=False)
    return np.sum(a[1:] ** 2 * b) + np.sum(np.add.outer(x, c))


ARGS = (np.array([0.7, 1.2, 0.4, 1.1]), 0.3, np.array([1.0, 2.0]))
WRT = ("x", "y")

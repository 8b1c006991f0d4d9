"""The tangent of a view that gets a line of its own is that view of the tangent."""

import numpy as np

ARGS = (np.array([0.7, 0.4]), 0.8)


def add(x, w):
    x[1:] += w * x[0]


# s2s: v (2,)
def f(v, b: float):
    add(np.flip(v), b)
    return np.sum(v**2)

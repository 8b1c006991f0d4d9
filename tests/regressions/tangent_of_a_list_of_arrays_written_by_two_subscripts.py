"""`a[0][1] = t` of a list of arrays: `a_dot.copy()` of the list copied none of its arrays, and the seed was written."""

import numpy as np


def f(a, t):
    a[0][1] = t
    return np.sum(a) * t


ARGS = ([np.array([0.9, -0.4, 0.6]), np.array([0.5, 1.3, -0.7])], 0.6)

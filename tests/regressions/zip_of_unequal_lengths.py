"""The shorter one decides."""

import numpy as np


def f(v, w):
    s = 0.0
    for a, b in zip(v, w):
        s = s * a + b * a
    return s


ARGS = (np.array([0.7, 0.4, 1.3]), np.array([1.1, -0.6]))

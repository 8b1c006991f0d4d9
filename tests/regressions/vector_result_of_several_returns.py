"""Each return gives an array."""

import numpy as np


def f(x, c):
    if c > 2.0:
        return x * c
    for k in range(3):
        x = np.sin(x) * c
        if np.sum(x) > 5.0:
            return x**2
    return x


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 1.4)
SCALAR = False

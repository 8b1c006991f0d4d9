"""A return in the inner loop, taken."""

import numpy as np


def f(x, n):
    s = x[0]
    for i in range(n):
        for j in range(n):
            s = s * x[j] + x[i]
            if s > 4.0:
                return s * s * x[i]
        s = s + 1.0
    return s * x[1]


ARGS = (np.array([1.1, 0.9, 0.4, 1.6]), 4)
WRT = ("x",)

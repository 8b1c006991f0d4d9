"""An inner loop takes the variable of the outer one; the outer one is read after it."""

import numpy as np


def f(x, n):
    s = 0.0
    for k in range(n):
        for j in range(2):
            s = s * x[j] + x[k]
        for k in range(3):
            s = s * np.cos(x[k])
        s = s + k * x[0]
    return s


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 4)
WRT = ("x",)

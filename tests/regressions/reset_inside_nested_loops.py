"""A local of the outer iteration, with a loop of a varying number of trips inside."""

import numpy as np


def f(x, n):
    t = 0.0
    for i in range(n):
        s = 0.0
        for j in range(i):
            s = s + x[j] * s + x[i]
        t = t + s * s
    return t


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 4)
WRT = ("x",)

"""A name that a loop overwrites is needed once, before it."""

import numpy as np


def f(x, n):
    s = np.sin(x)
    t = s * x
    for k in range(n):
        s = s * s + 0.1 * t
    return s * t


ARGS = (1.2, 3)
WRT = ("x",)

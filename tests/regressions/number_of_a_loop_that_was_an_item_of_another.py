"""The last value of a range, under a name that a loop over a list had before: the item got its cotangent."""

import numpy as np


def f(x, y):
    s = 0.2
    l = [x, y * 0.7]
    for v in l:
        s = s * 0.5 + v
    for v in range(2):
        s = s * 0.5 + x
    return s + l[0] * v


ARGS = (1.3, 0.7)
WRT = ("x", "y")
SCALAR = True

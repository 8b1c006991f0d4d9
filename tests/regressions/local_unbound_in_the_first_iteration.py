"""A local of the body is not there before its first definition."""

import numpy as np


def f(x, n):
    s = x
    for k in range(n):
        if k > 0:
            s = s * prev
        prev = np.sin(s)
        s = s + prev**2
    return s


ARGS = (0.8, 4)
WRT = ("x",)

"""The reverse sweep must see the value that the test saw."""

import numpy as np


def f(x, n):
    s = x
    for k in range(n):
        if s > 1.0:
            s = s * 0.5
            s = s * s
        else:
            s = s * s + x
        s = s + 0.1 * s * x
    return s


ARGS = (1.3, 6)
WRT = ("x",)

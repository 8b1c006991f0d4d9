"""A loop over a range binds a name that held a value: the cotangent of the number went on to that value."""

import numpy as np


def f(x, y, n):
    y = np.sin(x) * y
    for x in range(n):
        y = y * 1.1
    return x * y


ARGS = (0.7, -0.4, 3)
WRT = ("x", "y")

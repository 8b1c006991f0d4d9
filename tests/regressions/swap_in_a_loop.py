"""a, b = b, a + b and the like."""

import numpy as np


def f(a, b, n):
    for k in range(n):
        a, b = b, a * np.sin(b) + k
    return a * b


ARGS = (0.4, 0.9, 4)
WRT = ("a", "b")

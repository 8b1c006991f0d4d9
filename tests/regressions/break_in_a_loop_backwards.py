"""A loop over a range from its end, left early: its reverse runs over as many numbers, from the other side."""

import numpy as np


def f(x, n):
    s = 0.0
    for i in reversed(range(n)):
        s = s * x[i] + np.sin(s) + x[0]
        if s > 3.0:
            break
    for i in reversed(range(1, n)):
        if s > 9.0:
            return s * x[i]
        s = s + x[i] * s * x[n - 1 - i]
    return s


WRT = ("x",)
ARGS = (np.array([0.9, 0.3, 1.4, 0.2]), 4)

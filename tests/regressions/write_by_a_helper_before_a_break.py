"""The iteration that breaks has called a helper whose value nobody reads, and which writes into an array."""

import numpy as np


def f(x, y: float, v):
    w = v * 1.0
    k = 0
    while k < 3:

        def put(s):
            w[0] = x[0] * s
            return s

        _ = put(1.3)
        if 0.5 < y <= 0.7:
            break
        k += 1
    return np.sum(w * w)


ARGS = (np.array([0.3, 0.5]), 0.6, np.array([0.1, 0.9]))
WRT = ("x", "v")

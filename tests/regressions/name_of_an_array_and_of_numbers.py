"""A name that one loop subscripts is a number in another: its dtype is not asked for there."""

import numpy as np


def f(x, q: float, n: int):
    w = x.copy()
    t = [q, q * x[1]]
    for i in [w, x * q]:
        i[1] = q * 0.5
    for i in range(n):
        for i in t:
            w[2] = i
    return i + x[2] * w[2]


ARGS = (np.array([0.5, 1.2, -0.3]), 0.6, 2)
WRT = ("x", "q")

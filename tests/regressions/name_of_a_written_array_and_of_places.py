"""A name of an array that is written is a place later, which is not asserted to be one of floats."""

import numpy as np


def item(a, k):
    return a[k]


def bind(a, i, e):
    a[i] = e
    return a


def f(x, q: float, n: int):
    # s2s: x (3,)
    w = x.copy()
    m = [np.zeros(3), w]
    s = 0.2
    for v in [q, 0.3]:
        k = item(m, 1)
        s = s * 0.5 + v * np.sum(k)
    for k, i in enumerate([w, x]):
        if n > 1:
            break
        bind(m[k], 0, s)
    return s + np.sum(m[k] * x) + i[1]


ARGS = (np.array([0.5, 1.2, -0.3]), 0.6, 2)
WRT = ("x", "q")

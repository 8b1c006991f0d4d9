"""A loop takes numbers under a name that arrays have elsewhere: they were asked for their dtype."""

import numpy as np


def f(x, y, q: float):
    # s2s: x (3,), y (3,)
    w = y * q
    M = np.array([w, x])
    t = [q, 0.3]
    l = [y.copy(), w]
    g = {"a": l[0], "b": M[0]}
    for v, i in enumerate(l):
        M[[0]] = M[[0]]
    g["b"], l[0] = l[0], g["b"]
    for v in t:
        for v in l:
            pass
    return np.sum(i) + v[2]


ARGS = (np.array([0.3, 0.4, 0.9]), np.array([0.4, 0.1, -0.2]), 0.7)

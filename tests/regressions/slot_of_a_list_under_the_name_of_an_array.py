"""A name of an array that lies in a list is the place of a slot later: the slot is saved, not all of the list."""

import numpy as np


def bind(a, i, e):
    a[i] = e
    return a


def f(x, y):
    # s2s: x (3,), y (3,)
    w = np.zeros(3)
    m = [w, y * 2.0]
    d = {"a": x.copy(), "b": w}
    g = d
    for v in g.values():
        s = np.sum(v)
    for v, i in enumerate(m):
        bind(y, v, x[1])
    i[1] = x[0]
    y, m[v] = m[v], y
    return s + np.sum(y * x) + np.sum(m[1] * x)


ARGS = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]))

"""A dict that is bound to a copy of itself: the new one was filled from itself, empty, and the value was wrong."""

import numpy as np


def scaled(d, c):
    return {k: d[k] * c for k in d}


def f(x, q):
    g = scaled({"a": x, "b": x * x}, q)
    g = dict(g)
    s = 0.0
    for k in g:
        s = s * 0.5 + np.sum(g[k])
    g = g.copy()
    for k in g:
        s = s * 0.5 + np.sum(g[k] * q)
    return s


ARGS = (np.array([0.5, 1.2, -0.3]), 0.7)

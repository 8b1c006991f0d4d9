"""Stores under what a loop has left in its variable: the checker held that the key may be unbound, where the store
itself fails then."""

import numpy as np


def scaled(d, c):
    return {k: d[k] * c for k in d}


def f(x, q: float):
    # s2s: x (3,)
    u = x * q
    for i in range(3):
        u[0] *= q
    u[i] = q * u[1]
    g = scaled({"a": x, "b": u}, q)
    for k in g:
        pass
    g[k] = u * u[i]
    return np.sum(g["a"] * g["b"])


ARGS = (np.array([0.5, 1.2, -0.3]), 0.6)

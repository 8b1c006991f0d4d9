"""A name of places and arrays is a key of a dict later, which is not asserted to be one of floats."""

import numpy as np


def f(x, y, q: float):
    # s2s: x (3,), y (3,)
    w = x.copy()
    l = [y * q, w]
    d = {"a": w, "b": x * q}
    g = {"a": l[0], "b": y.copy()}
    for k, v in enumerate(l):
        l[0] = d["b"]
        v[1] = q
    for k in g.values():
        for k in g:
            g[k] = v
    y[0] = q
    return np.sum(d[k] * v * y)


ARGS = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.6)

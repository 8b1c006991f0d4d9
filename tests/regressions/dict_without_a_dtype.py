"""Numbers of a dict share a name with a list that is written: the dict is not asked for its dtype."""

import numpy as np


def either(a, k, b):
    if k > 0.5:
        return a
    return b


def f(x, q: float, p: dict):
    # s2s: x (3,)
    t = [q, x[0]]
    g = {"a": x.copy(), "b": x * q}
    for v in t:
        s = 0.5 * v
    s = s * 0.5 + sum(v + v * 0.5 for k, v in p.items())
    x[0] = q
    g["b"] = either(x, s, x)
    return s + t[1] + np.sum(x) + np.sum(g["b"])


ARGS = (np.array([0.5, 1.2, -0.3]), 0.6, {"a": 0.8, "b": 0.35})

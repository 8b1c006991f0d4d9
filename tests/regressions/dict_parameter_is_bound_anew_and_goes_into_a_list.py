"""An entry of a dict parameter that a branch binds anew goes into a list beside an array that is written: whether its
tangent may be integers was asked of the dict, which raised."""

import numpy as np


def put(v, i, k):
    v[i] = k


def named(k, v):
    return {"a": k, "b": v}


def f(x, y, q: float, p: dict):
    l = [x]
    s = 0.2
    if q > 0.65:
        put(x, 1, s)
    else:
        p = named(s, q)
    l.append(y * p["b"])
    return np.sum(x) * p["b"]


ARGS = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.6, {"a": 0.8, "b": 0.35})
WRT = ("x", "q")

"""Entries of one dict are read where another has the key: no zero is made for an entry that is not there."""

import numpy as np


def f(p, q, x):
    h = x * 2.0
    if "mask" in p:
        h = h * q["mask"]
    if "scale" in p:
        s = q["scale"]
    else:
        s = x[0]
    return np.sum(h) * s * q["b"]


ARGS = ({"scale": 1.0}, {"scale": 0.7, "b": 0.3}, np.array([0.3, -1.3]))
WRT = ("q", "x")

"""Entries of a dict that nested functions read and assign: an update in place lost its derivative, a store was lost."""

import numpy as np


def f(x, y):
    d = {"a": x * 1.0, "b": y, "steps": 0}

    def damp(z):
        d["b"] = d["b"] * z
        d["steps"] += 1
        return d["a"] * d["b"] * z

    def unused(z):
        d["b"] = z * d["b"]

    d["a"] *= np.tanh(y)
    first = damp(2.0)
    d["a"][0] = np.sin(d["b"]) * first[1]
    return np.sum(damp(y) * first * x) * d["steps"]


ARGS = (np.array([0.9, 0.3, -1.4]), 0.7)

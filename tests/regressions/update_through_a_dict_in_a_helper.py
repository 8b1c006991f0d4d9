"""A helper that updates an argument in place through a dict that a nested function sees: its caller's array changed."""

import numpy as np


def shifted(u, x):
    d = {"a": u, "s": 0.1}
    d["a"] += d["s"]

    def scale(z):
        return d["s"] * z

    return scale(x)


def f(u, x):
    y = shifted(u, x)
    return np.sum(u**2) * y


ARGS = (np.array([0.9, 0.3, -1.4]), 0.7)

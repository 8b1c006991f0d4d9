"""`x, w[2] = w[2], y` is read behind the store, and what `w[2]` is was not asserted: y got the cotangent of x."""

import numpy as np


def f(y, u, v):
    w = v - u
    x, w[2] = w[2], y
    (q, r), w[0] = (w[0], w[1]), x
    d = {}
    d["a"], w[1] = w[1], y * q
    for i in range(2):
        s, w[i] = w[i], y
        y = y * s
    return np.sum(v * w) * np.sin(x) + d["a"] * r * y


ARGS = (1.1, np.array([0.5, 0.9, 0.7]), np.array([0.2, -0.3, 0.8]))

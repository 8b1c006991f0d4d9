"""The cotangent of `[*v]` is a list, that of the array v an array: it was taken for a number."""

import numpy as np


# s2s: u (3,), x ()
def f(u, x):
    v = u + np.max(u) * x
    items = [*v]
    w = [*(u * x)]
    return items[1] + w[0] * w[2]


ARGS = (np.array([0.4, 0.3, -0.2]), 0.7)

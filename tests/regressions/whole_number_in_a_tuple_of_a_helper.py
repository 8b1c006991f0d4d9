"""A helper gives a whole number or an array, in a tuple: the zeros of the adjoint of the whole number are floats."""

import numpy as np


def pick(v, x, n):
    if n == 0:
        return x, 0.0
    return v, 1.0 * v


# s2s: v (n,), w (n,)
def f(w, v, n: int):
    c, d = pick(w, 1, n)
    for _ in range(2):
        np.subtract.at(v, [0], c)
    return np.sum(v * w * d)


ARGS = (np.array([0.7, 1.3]), np.array([0.3, -1.3]), 0)
WRT = ("w", "v")

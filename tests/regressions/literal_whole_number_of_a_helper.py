"""A helper gives a literal whole number or an array: the zeros of its adjoint are floats."""

import numpy as np


def pick(v, x, n):
    if n == 0:
        return 1
    return v


# s2s: v (n,), w (n,)
def f(w, v, n: int):
    c = pick(w, 1, n)
    for _ in range(2):
        np.subtract.at(v, [0], c)
    return np.sum(v * w)


ARGS = (np.array([0.7, 1.3]), np.array([0.3, -1.3]), 0)
WRT = ("w", "v")

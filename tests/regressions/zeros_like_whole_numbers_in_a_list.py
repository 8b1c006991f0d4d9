"""Zeros like an array that may be one of whole numbers are kept in a list: the zeros of their adjoint are floats."""

import numpy as np


def f(b: float, n: int):
    a = b * np.arange(3.0)
    z = b * np.arange(3.0)
    for _ in range(n):
        a = np.arange(3)
        z = np.zeros_like(a)
    hs = []
    hs.append(z)
    for u in hs:
        out = u
    return np.sum(out + a + b)


ARGS = (1.2, 1)
WRT = ("b",)

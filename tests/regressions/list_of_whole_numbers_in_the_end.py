"""An array that becomes an array of whole numbers is put in a list: the zeros of its adjoint are floats."""

import numpy as np


def f(b: float, n: int):
    a = b * np.arange(3.0)
    for _ in range(n):
        a = np.arange(3)
    hs = []
    hs.append(a)
    for u in hs:
        out = u
    return np.sum(out + a + b)


ARGS = (1.2, 1)
WRT = ("b",)

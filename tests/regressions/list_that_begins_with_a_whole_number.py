"""hs = [3], and floats are appended: the zeros of its adjoint were whole numbers, to which the rest can't be added."""

import numpy as np


def f(x):
    hs = [3]
    hs.append(np.tanh(x))
    total = 0.0
    for h in hs:
        total = h * x
    return total


ARGS = (0.9,)
WRT = ("x",)
SCALAR = True

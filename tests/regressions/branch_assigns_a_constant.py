"""An inactive definition in a branch ends the adjoint of the name."""

import numpy as np


def f(x, c):
    y = x * x
    if c > 1.0:
        y = 3.0
    return y * c


ARGS = (1.3, 2.0)

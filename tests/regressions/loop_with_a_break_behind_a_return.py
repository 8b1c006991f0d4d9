"""The loop of a `finally` that a return runs through has a break of its own: it was an internal error."""

import numpy as np


def f(x, y):
    s = x * y
    try:
        if s < 0.0:
            return np.sin(s)
        s = s * x
    finally:
        c = 0
        while (c := c + 1) < 4:
            y = y * x
    return s * y


ARGS = (0.7, -0.4)

"""A name that dies and is born again, beside one that lives on."""

import numpy as np


def f(x):
    t = x[0] ** 2
    y = t * x[1]
    t = x[1] ** 3
    y = y * t
    t = y * x[2]
    return y + t


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

"""A loop over a display binds the name that stands in it: of the items of items that were counted there was no end."""

import numpy as np


def spread(t):
    w = [t, 2.0 * t]
    for t in (t, 0.5 * t):
        pass
    return [t for q in w if q > 0.0]


def f(x):
    y = spread(x)
    return np.sum(y[0] * y[1]) + len(y)


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

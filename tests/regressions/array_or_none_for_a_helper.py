"""The zero cotangent of an argument that is None in some calls has no length to ask for."""

import numpy as np


def scaled(z, u=None):
    if u is None:
        return z
    return z * u[1]


# s2s: x (), y ()
def f(x, y):
    w = np.array([x, y])
    if (z := scaled(0.7, None if 0 < x < 0.8 else w)) > 0.1:
        t = z + y
    else:
        t = x
    return t


ARGS = (0.5, -0.2)

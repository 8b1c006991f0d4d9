import numpy as np


def f(x, z):
    x[...] *= 2.0
    z, x = (z, z)
    return x


ARGS = (np.array([1.2, 0.3]), np.array([0.4, -0.7]))
SCALAR = False
WRT = ("z",)

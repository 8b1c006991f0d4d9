import numpy as np


def f(x, z):
    y = z
    b = y
    for k in range(3):
        z = x.sum()
    y[...] = z
    return b


ARGS = (np.array([0.3, -0.8, 0.5]), np.array([0.2, 0.7]))
WRT = ("x",)
SCALAR = False

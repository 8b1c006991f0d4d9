"""A number that becomes an array in a loop, by an update whose term reads it: its adjoint is summed in each round."""

import numpy as np


def g(p, q):
    return p * q


def f(x, y, z):
    a, x = x, np.sum(g(z, x))
    a[...] = z
    b = a.copy()
    for _ in range(3):
        x -= np.tanh(np.where(y > 0.2, x, z))
    return np.sum(np.maximum(x, b))


WRT = ("x", "z")
ARGS = (
    np.array([[0.36, 0.05, -0.74], [0.14, -2.32, -3.08]]),
    np.array([[0.77, 1.54, -0.03], [0.76, -0.15, 1.39]]),
    np.array([[0.04, -0.2, -1.31]]),
)

import numpy as np


def h(p, q):
    p *= q


def f(x, y, z, n):
    for _ in range(n):
        x -= y
        h(y, z)
    return x


ARGS = (-2.9, np.array([[0.5, 0.6, 1.2], [-1.1, -1.6, 0.2]]), np.array([-0.1]), 2)
WRT = ("z",)
SCALAR = False

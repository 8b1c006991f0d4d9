import numpy as np


def put(s, u):
    u[1] = s


def f(x, y, v, n):
    s = y
    for _ in range(n):
        w = put(s, v)
    return y * x + v[1] * v[0]


WRT = ("x", "y", "v")
ARGS = (0.3, 0.7, np.array([0.5, 0.7, 0.9]), 2)

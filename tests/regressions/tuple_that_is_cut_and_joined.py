import numpy as np


def f(x, k: int):
    p = (x, x * x)
    a = np.exp(-p[0])
    p = (*p[1:], a)
    d = np.exp(-p[0]) * np.exp(-p[1])
    p = p[::-1]
    q = (*p[:1], d, *p[1:])[k:]
    return np.sum(p[0] * p[1] * q[0] * q[1])


WRT = ("x",)
ARGS = (np.array([0.4, -0.3, 0.7]), 1)

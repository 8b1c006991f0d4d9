import numpy as np


def f(x, c: float):
    y = x * c
    if c > 0.35:
        v = y
    y.sort()
    return np.sum(y * x)


ARGS = (np.array([0.4, -0.3, 1.7, 0.9, 1.2]), 0.8)

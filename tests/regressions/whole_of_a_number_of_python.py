import numpy as np


def f(x, y):
    a = x - np.sin(2.0)
    b = a[...]
    c = (y + np.cos(1.0))[None]
    return b * np.sum(c)


ARGS = (-0.05, 0.7)

import numpy as np


def powers(x):
    k = np.arange(3, dtype=float)
    k[0] = x
    return np.sum(k * x)


# s2s verify S241_integers_rewritten.py::powers --at "x=0.7"

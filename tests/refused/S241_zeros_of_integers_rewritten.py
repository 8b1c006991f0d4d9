import numpy as np


def powers(x, n: int):
    out = np.zeros(n)
    for k in range(n):
        out[k] = x**k
    return np.sum(out)


# s2s verify S241_zeros_of_integers_rewritten.py::powers --at "x=0.7, n=3"

"""A helper writes into an array, and the tuple that it returns is not used."""

import numpy as np


def put(w, s):
    w[0] = s * w[1]
    return w[0] * s, s


# s2s: v (n,)
def f(v, x: float):
    w = v * 1.0
    for k in range(3):
        put(w, x)
        put(w, w[1])
    return np.sum(w * w)


ARGS = (np.array([0.3, 0.5]), 0.6)

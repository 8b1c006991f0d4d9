"""A slot of a list is bound to an array that carries no derivative until it is written: its tangent is an array, too."""

import numpy as np


# s2s: v (5,), u (2,)
def f(v, b: float, u):
    bufs = [v]
    bufs[0] = np.ones(5)
    bufs[0][1::2] = b
    u[0] = np.sum(bufs)
    return np.sum(u * u)


ARGS = (np.array([0.9, 0.3, -1.4, 0.7, 1.2]), 0.6, np.array([0.4, 0.8]))
WRT = ("b", "u")

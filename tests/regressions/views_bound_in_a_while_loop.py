"""A view that each iteration binds and writes through: the restore of its elements was taken for dead."""

import numpy as np


# s2s: u (3,)
def f(x: float, u):
    k = 0
    while k < 3:
        k = k + 1
        d = u[:]
        d[1:] = np.tanh(d[1:])
    return x * np.sum(u)


ARGS = (1.2, np.array([0.3, 0.5, 0.9]))

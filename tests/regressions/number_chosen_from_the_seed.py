"""A choice between a number and the seed may be the caller's array of rank 0: nothing is added to it in place."""

import numpy as np

ARGS = (np.array([0.7, 0.4]), 0.3, np.array([[0.1, 0.2], [0.3, -0.4]]))
WRT = ("M",)


# s2s: w (2,), M (2, 2)
def f(w, y: float, M):
    z = M
    z -= y
    e = w
    return np.where(y > e[0], y, np.sum(z)) + np.sum(M)

"""The tangent of a number chosen by np.where, of one branch that reads a written array: it was copied like an array."""

import numpy as np


# s2s: M (5, 3), w (2,)
def f(M, b: float, w, y: float):
    w3 = np.where(1.0 > b, y, np.inner(w, w))
    w[:] = y
    M[:] = b if b <= w3 else w3
    return np.sum(M**2) + np.sum(w)


ARGS = (np.arange(15.0).reshape(5, 3) / 7.0, 0.3, np.array([0.4, 0.8]), 1.3)

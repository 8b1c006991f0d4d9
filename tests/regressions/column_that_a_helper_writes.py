"""A column that a helper writes into, and an element of another one that is written later. (A false alarm.)"""

import numpy as np


def helper1(q, w):
    mask1 = w < 0.1
    w[mask1] = q


# s2s: M (5, 3), w (3,)
def f(a: float, b: float, M, w):
    helper1(2, M[:, 0])
    M[0, 1] = np.inner(w, np.concatenate([w[:1], w[1:]]))
    return np.sum(M)


ARGS = (0.3, 0.4, np.arange(15.0).reshape(5, 3) / 7.0, np.array([0.9, 0.3, -1.4]))
WRT = ("M", "w")

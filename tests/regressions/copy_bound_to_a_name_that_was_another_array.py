"""The assertion that a copy is one of an array stood behind the first binding of its name, too, before what is copied
was bound."""

import numpy as np


def f(u, v, k):
    q = u
    for i in range(2):
        q[1:][0] = k
        w = v * q
        q = w.copy()
    return np.sum(q * v)


ARGS = (np.array([0.7, 0.4, 1.3]), np.array([1.1, -0.6, 0.3]), 0.6)
WRT = ("u", "v", "k")
SCALAR = True

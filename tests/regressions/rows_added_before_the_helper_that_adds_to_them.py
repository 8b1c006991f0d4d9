"""The reverse of `h` returns the cotangent of one row and adds to that of the other: the call stays where it is, before
the latter is added to the whole."""

import numpy as np


def h(r, q):
    t = np.sum(r)
    total = 0.0
    for i in range(len(q)):
        total = total + 2.0 * q[i] * t
    return t, total


def f(M, N, a):
    s = 0.0
    for r, q in zip(M, N):
        t, total = h(r, q)
        s = s + a * t + total
    return s


ARGS = (np.array([[1.0, 2.0], [3.0, 0.7]]), np.array([[1.5, -2.0], [3.1, 0.2]]), 0.5)

"""The reverse of a loop is nothing but its items, which are not needed."""

import numpy as np


def f(A, w, y):
    view1 = w
    for row in A:
        if np.mean(row) < y:
            view4 = view1
            view4[::1] = np.sum(A)
    return A * 2.0


ARGS = (np.array([[0.7, 0.4], [1.3, -0.2]]), np.array([0.5, 0.6]), 0.4)
WRT = ("A",)
SCALAR = False

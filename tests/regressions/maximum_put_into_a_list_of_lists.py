"""The slot that holds a maximum is no part of an array: its dtype is not that of the list around it."""

import numpy as np


def f(u, v, n):
    rows = [[v[1], 0.5]]
    rows[n % 2][1] = np.max(u)
    return rows[0][0] * rows[0][1]


ARGS = (np.array([0.3, -0.2, 0.7]), np.array([0.1, 0.4]), 2)
WRT = ("u", "v")

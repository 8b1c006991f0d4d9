"""The name under an item of a display, `[v][0]`, or of an array made of one, was asked for: an internal error."""

import numpy as np


def f(u, v, x):
    a, *b = (x, [v][0])
    rows = [np.column_stack((u,))[:,] for _ in range(2)]
    return a * np.sum(b[0]) + np.sum(rows[0] * rows[1])


ARGS = (np.array([0.3, -0.4]), np.array([0.9, 0.1]), 0.7)

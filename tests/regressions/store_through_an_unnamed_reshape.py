"""A store through y.ravel() or y.reshape(...), which may be copies, was lost where the view had no name."""

import numpy as np


def f(x, k):
    y = x * 2.0
    y.reshape(-1)[k] = np.sin(x[0])
    y.ravel()[3] *= x[1]
    for j in range(3):
        np.reshape(y, (2, 2))[j % 2][0] = y[j] ** 2 * x[j]
    return np.sum(y**2 * np.arange(4.0))


ARGS = (np.array([0.7, -1.2, 0.4, 1.1]), np.array([0, 2]))
WRT = ("x",)

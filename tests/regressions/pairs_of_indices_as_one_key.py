"""The arrays of a key that is a tuple (`np.triu_indices`) repeat numbers, but they name no item twice."""

import numpy as np


def f(x, k):
    y = np.zeros((3, 3))
    y[np.triu_indices(3)] = x
    lower = np.tril_indices(3, -1)
    y[lower] = np.sin(x[:3]) * y[lower[::-1]]
    y[np.diag_indices(3)] = x[3:] ** 2
    y[np.unravel_index(k, y.shape)] *= x[0]
    return np.sum(y**3 * np.arange(9.0).reshape(3, 3))


ARGS = (np.array([0.7, -1.2, 0.4, 1.1, 0.3, -0.5]), np.array([1, 5, 6]))
WRT = ("x",)

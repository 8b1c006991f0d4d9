"""The first W is a result and W is bound again: adjoints are bound beside it, and that of a number is no view."""

import numpy as np


def f(W, u, n):
    u[1] = u[0] = W[1, 2]
    W[0] = u
    for _ in range(n):
        W = np.tanh(W)
    return np.sum(W)


ARGS = (np.array([[0.3, 0.5, 0.7], [0.2, 0.4, 0.6]]), np.array([0.1, 0.9, 0.8]), 2)
WRT = ("W", "u")
OF = ("W", "u")

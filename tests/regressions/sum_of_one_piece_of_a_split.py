"""The adjoint of a piece is one number until it is joined with those of the other pieces, or rows."""

import numpy as np

ARGS = (np.array([0.3, 0.5, -0.2]), np.array([[0.7, 0.4], [-0.3, 0.9]]))


def f(v, M):
    a, b = np.split(v, [1])
    p, q = np.tanh(M)
    return np.sum(a) + np.sum(q) * np.sum(b**2)

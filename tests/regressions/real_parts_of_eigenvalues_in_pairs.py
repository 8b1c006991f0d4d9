"""Eigenvalues of a real matrix may be complex: the cotangent of the matrix was, too."""

import numpy as np


# s2s: S (3, 3)
def f(S):
    values = np.linalg.eigvals(S + np.array([[0.0, 9.0, 0.0], [-9.0, 0.0, 0.0], [0.0, 0.0, 2.0]]))
    return np.sum(np.array([1.0, 0.7, 0.4]) * values.real)


ARGS = (np.array([[0.9, 0.3, -0.4], [0.6, 0.2, 1.1], [0.1, 0.5, 0.7]]),)
WRT = ("S",)

"""An element of a product is added to one of an array: the product is a vector, and not of two vectors."""

import numpy as np

SCALAR = True
WRT = ("x", "B")
ARGS = (np.array([0.5, 1.2, -0.3]), np.array([[1.0, 0.3, 0.2], [0.4, 0.5, 0.6], [-0.3, 0.8, 0.1]]), np.eye(3) * 0.7)


def f(x, B, A):
    u = B.T @ A[:, 0]
    total = np.zeros((2, 3))
    total[0, 0] += u[0]
    return np.sum(u * x)

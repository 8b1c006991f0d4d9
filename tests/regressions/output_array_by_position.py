"""np.add(a, b, c) as a statement writes into c, and np.linalg.cholesky(A) is only tried."""

import numpy as np


def f(A, b):
    try:
        np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        raise ValueError("A must be positive definite") from None
    y = np.zeros(3)
    np.add(b, np.sum(A), y)
    z = np.multiply(y, b, y)
    np.dot(A, z * y, z)
    return np.sum(y * b) + np.sum(z)


ARGS = (np.array([[2.0, 0.1, 0.3], [0.1, 1.5, 0.2], [0.3, 0.2, 1.8]]), np.array([0.3, -0.5, 0.7]))

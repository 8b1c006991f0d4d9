import numpy as np


def trace(A):
    d = np.diag(A).copy()
    A[0, 0] = A[1, 1] * A[0, 1]
    return np.sum(d**2)


# s2s verify S242_diagonal_rewritten.py::trace --at "A=np.array([[0.3, 0.8], [0.5, 1.1]])"

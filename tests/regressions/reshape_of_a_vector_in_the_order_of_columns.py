"""The cotangent of a vector that was made a matrix in Fortran's order was read by rows."""

import numpy as np


# s2s: A (3, 4)
def f(A):
    v = A.reshape(-1, order="F") * 1.1
    B = np.reshape(v, (3, 4), order="F")
    return B * A, v.reshape((2, 6), order="F")[1] ** 2


ARGS = (np.array([[0.9, 0.3, -0.4, 0.2], [0.6, 0.2, 1.1, 0.8], [0.1, 0.5, 0.7, -0.3]]),)
WRT = ("A",)
SCALAR = False

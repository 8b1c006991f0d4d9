"""np.reshape(A, shape=...) was taken for a number; np.sum(a=A) was not read."""

import numpy as np


# s2s: A (3, 4)
def f(A):
    B = np.reshape(A, shape=(4, 3))
    return B * np.sum(a=A, axis=1), np.linalg.norm(x=B)


ARGS = (np.array([[0.9, 0.3, -0.4, 0.2], [0.6, 0.2, 1.1, 0.8], [0.1, 0.5, 0.7, -0.3]]),)
WRT = ("A",)
SCALAR = False

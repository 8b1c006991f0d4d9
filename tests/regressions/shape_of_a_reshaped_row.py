"""The shape of a reshaped row was taken for a read of its elements, which the statement overwrites (an alarm, I3)."""

import numpy as np

ARGS = (np.array([[0.3, 0.7], [0.2, 0.5]]), 1.5)
WRT = ("A", "x")
SCALAR = True


# s2s: A (2, 2)
def f(A, x):
    for row in A:
        row[:, None] = np.tanh(row.reshape(1, 2).reshape(2, 1))
    return np.sum(A) * x

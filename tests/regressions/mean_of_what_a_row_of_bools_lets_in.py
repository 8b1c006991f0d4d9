"""The mask has fewer axes than the array: so had the cotangent."""

import numpy as np


# s2s: A (3, 4), m (4,)
def f(A, m):
    return np.mean(A, where=m) * np.mean(A * A, where=np.array([True, False, True, True]))


ARGS = (
    np.array([[0.9, 0.3, -0.4, 0.2], [0.6, 0.2, 1.1, 0.8], [0.1, 0.5, 0.7, -0.3]]),
    np.array([True, True, False, True]),
)
WRT = ("A",)

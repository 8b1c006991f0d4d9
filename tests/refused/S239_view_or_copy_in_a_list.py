import numpy as np


# s2s: A (2, 3)
def doubled(A):
    parts = [A.ravel()[1:], A[0]]
    for p in parts:
        p[:2] *= 2.0
    return np.sum(A * A)

import numpy as np


# s2s: A (2, 3)
def doubled(A):
    parts = [A[0], A[1]]
    parts[1] = A.T.ravel()[1:4]
    for p in parts:
        p[:2] *= 2.0
    return np.sum(A * A)

import numpy as np


# s2s: A (2, 3)
def doubled(A):
    parts = [A[0], A[1]]
    parts[1] = A.T.ravel()[1:4].copy()
    for p in parts:
        p[:2] *= 2.0
    return np.sum(A * A)


# s2s verify S239_view_or_copy_in_a_slot_rewritten.py::doubled --at "A=np.array([[0.3, 0.8, 1.1], [0.2, 0.7, 0.5]])"

import numpy as np


# s2s: A (2, 3), v (3,)
def f(A, v):
    rows = {}
    for i in range(2):
        rows[10 * i] = A[i]
    rows[10] = v
    rows[10] += A[0]
    return np.sum(v * v)


# s2s verify S236_entry_of_a_made_dict_rewritten.py::f --at "A=np.array([[0.3, 0.7, 0.2], [0.1, 0.4, 0.6]]), v=np.array([0.5, 0.2, 0.9])"

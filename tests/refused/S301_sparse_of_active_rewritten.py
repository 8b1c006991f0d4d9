import numpy as np


def weighted(d, x):
    return np.sum((d * x) ** 2)


# s2s verify S301_sparse_of_active_rewritten.py::weighted --at "d=np.array([0.4, -1.1]), x=np.array([0.7, 1.3])"

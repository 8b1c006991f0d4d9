import numpy as np


def gram(x, y):
    K = np.array([np.array([np.exp(-((a - b) ** 2)) for b in y]) for a in x])
    return np.sum(K)


# s2s verify S233_matrix_of_comprehensions_rewritten.py::gram --at "x=np.array([0.3, 0.8]), y=np.array([0.1, 0.5, 1.2])"

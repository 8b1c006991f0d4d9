import numpy as np


def kernel(r):
    return np.exp(-(r**2))


def total(x):
    return np.sum(kernel(x))


# s2s verify S212_vectorised_rewritten.py::total --at "x=np.array([0.3, 0.8])"

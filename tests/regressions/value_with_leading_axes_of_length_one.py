"""NumPy stores a value of shape (1, 3) into an array of shape (3,): the cotangent has the shape of the array."""

import numpy as np


def f(x, z):
    x[...] = np.tanh(x * z) * x + 2.0 * x
    return np.sum(x)


ARGS = (np.array([0.3, -0.8, 0.5]), np.array([[1.2, 0.7, -0.9]]))

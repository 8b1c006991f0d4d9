import numpy as np

WEIGHTS = np.array([1.0, 2.0])


def scaled(k):
    w = WEIGHTS
    w *= k
    return np.sum(w)


def energy(x):
    return x**2 * scaled(3.0)

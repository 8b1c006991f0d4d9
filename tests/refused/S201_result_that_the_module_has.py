import numpy as np

WEIGHTS = np.array([1.0, 2.0])


def weights():
    return WEIGHTS


def energy(x):
    w = weights()
    w[0] = x
    return np.sum(w**2)

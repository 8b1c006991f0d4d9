from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def weights(n):
    return np.ones(n)


def energy(x):
    w = weights(3)
    w[0] = x
    return np.sum(w**2) + np.sum(weights(3)) * x

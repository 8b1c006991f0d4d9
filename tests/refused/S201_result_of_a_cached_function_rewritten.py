from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def weights(n):
    return np.ones(n)


def energy(x):
    w = np.copy(weights(3))
    w[0] = x
    return np.sum(w**2) + np.sum(weights(3)) * x


# s2s verify S201_result_of_a_cached_function_rewritten.py::energy --at "x=0.7"

import numpy as np

WEIGHTS = np.array([1.0, 2.0])


def scaled(k):
    w = np.copy(WEIGHTS)
    w *= k
    return np.sum(w)


def energy(x):
    return x**2 * scaled(3.0)


# s2s verify S201_helper_that_writes_into_the_module_rewritten.py::energy --at "x=0.7"

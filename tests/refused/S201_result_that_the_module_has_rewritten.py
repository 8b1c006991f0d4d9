import numpy as np

WEIGHTS = np.array([1.0, 2.0])


def weights():
    return np.copy(WEIGHTS)


def energy(x):
    w = weights()
    w[0] = x
    return np.sum(w**2)


# s2s verify S201_result_that_the_module_has_rewritten.py::energy --at "x=0.7"

import numpy as np


def energy(x):
    return np.log1p(np.exp(x)) ** 2


# s2s verify S441_parameter_rewritten.py::energy --at "x=0.7"

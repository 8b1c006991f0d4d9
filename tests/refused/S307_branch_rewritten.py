import numpy as np


def energy(x):
    return np.maximum(x, 0.0) ** 2


# s2s verify S307_branch_rewritten.py::energy --at "x=0.7"

import numpy as np


def shifted(y):
    weights = [1.0, 2.0, 3.0]
    return np.sum((np.array(weights) + y) ** 2)


# s2s verify S236_joined_rewritten.py::shifted --at "y=np.array([0.3, -0.4, 0.5])"

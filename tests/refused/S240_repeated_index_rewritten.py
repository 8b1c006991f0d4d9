import numpy as np


def load(x):
    y = np.zeros(3)
    np.add.at(y, [0, 0], x[:2])
    return np.sum(y**2)


# s2s verify S240_repeated_index_rewritten.py::load --at "x=np.array([0.3, 0.8, 0.5])"

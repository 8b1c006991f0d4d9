import numpy as np


def weighted(x):
    return np.sum(x * [1.0, 2.0, 3.0]) + np.sum(x)

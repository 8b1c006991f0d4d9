import numpy as np


def shifted(y):
    weights = [1.0, 2.0, 3.0]
    return np.sum((weights + y) ** 2)

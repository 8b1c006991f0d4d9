import numpy as np


def load(x):
    y = np.zeros(3)
    y[[0, 0]] = x[:2]
    return np.sum(y**2)

import numpy as np


def clamp_ends(x):
    y = x**2
    np.put(y, [0, -1], 0.0)
    return np.sum(y * x)

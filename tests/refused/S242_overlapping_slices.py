import numpy as np


def spread(x):
    p = x.copy()
    p[::2] = p[:3]
    return np.sum(p**2)

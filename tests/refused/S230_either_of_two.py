import numpy as np


def scaled(a, b, flag):
    c = a if flag else b
    c *= 2.0
    return np.sum(a * c)

import numpy as np


def late(x, i, c):
    a = np.sin(x)
    b = a[i]
    a[0] = c * a[1]
    return np.sum(a) * b + a[2]

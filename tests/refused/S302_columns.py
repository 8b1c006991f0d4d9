import numpy as np


# s2s: v (3,)
def f(v):
    table = np.c_[0:3, v]
    return np.sum(table**2)

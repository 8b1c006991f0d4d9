import numpy as np


def shifted(x):
    y = x**2
    v = y.view()
    v[0] = 2.0 * y[1]
    return np.sum(y * x)

import numpy as np


def f(x):
    y = 2.0 * x
    exec("y[0] = x[1]")
    return np.sum(y * y)

import numpy as np


def sum_of_smallest(x):
    y = x**2
    y.partition(1)
    return np.sum(y[:2] * x[:2])

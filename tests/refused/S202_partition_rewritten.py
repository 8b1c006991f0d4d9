import numpy as np


def sum_of_smallest(x):
    y = x**2
    y = np.partition(y, 1)
    return np.sum(y[:2] * x[:2])


# s2s verify S202_partition_rewritten.py::sum_of_smallest --at "x=np.array([0.3, 0.8, 1.1, 0.4])"

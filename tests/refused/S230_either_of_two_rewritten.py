import numpy as np


def scaled(a, b, flag):
    c = a if flag else b
    c = c * 2.0
    return np.sum(a * c)


# s2s verify S230_either_of_two_rewritten.py::scaled --at "a=np.array([0.3, 0.8]), b=np.array([1.1, 0.2]), flag=True"

import numpy as np


def weighted(x):
    return np.sum(x * np.array([1.0, 2.0, 3.0])) + np.sum(x)


# s2s verify S231_product_rewritten.py::weighted --at "x=np.array([0.5, 1.5, -1.0])"

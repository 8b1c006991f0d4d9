import numpy as np


def weighted(x, counts):
    value = np.zeros(3)
    value[:] = x**2
    count = np.zeros(3, dtype=int)
    count[:] = counts
    return np.sum(value * count)


# s2s verify S302_array_with_fields_rewritten.py::weighted --at "x=np.array([0.4, 0.9, 1.3]), counts=np.array([2, 1, 3])"

import numpy as np


def late(x, i: int, c):
    a = np.sin(x)
    b = a[i]
    a[0] = c * a[1]
    return np.sum(a) * b + a[2]


# s2s verify S237_index_rewritten.py::late --at "x=np.array([0.3, 0.7, 1.1]), i=1, c=0.4"

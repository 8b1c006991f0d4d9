import numpy as np


def squares(x, n: int):
    return np.sum(np.array([v * v for v in x[:n]]) * x[:n])


# s2s verify S301_from_iterator_rewritten.py::squares --at "x=np.array([0.3, 0.8, 0.5]), n=2"

import numpy as np


# s2s: w (2,)
def f(a: float, w):
    y = np.prod(np.tanh(a)) + np.zeros(2)
    d = np.where(y > a, 2.0, a)
    return np.tanh(a) + d


SCALAR = False
ARGS = (0.4, np.array([1.3, -0.4]))

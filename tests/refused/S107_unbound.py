import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def f(x, k: float):
    if k > 0.45:
        u = Pair(x[0], x)
        u.b = k * 2.0
    else:
        u.b[0] += k
    return np.sum(x * k)

import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def f(x, k: float):
    u = Pair(x[0], x.copy())
    if k > 0.45:
        u.b[0] = k * 2.0
    else:
        u.b[0] += k
    return np.sum(u.b * k)


# s2s verify S107_unbound_rewritten.py::f --at "x=np.array([0.5, 1.2, -0.3]), k=0.6"

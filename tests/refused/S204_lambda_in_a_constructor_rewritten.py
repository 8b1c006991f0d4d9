import numpy as np


class Ranked:
    def __init__(self, ranks, v):
        self.order = np.argsort(ranks)
        self.v = v


def f(x, k):
    t = Ranked([3, 1, 2], x)
    return t.v[t.order[0]] * k


# s2s verify S204_lambda_in_a_constructor_rewritten.py::f --at "x=np.array([0.3, 0.9, 0.4]), k=0.7"

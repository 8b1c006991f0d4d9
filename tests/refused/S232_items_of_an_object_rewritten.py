import numpy as np


class Squares:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        return self.xs[i] ** 2

    def __len__(self):
        return len(self.xs)


def f(xs, w):
    s = Squares(xs)
    return sum(s[k] * w[k] for k in range(len(s)))


# s2s verify S232_items_of_an_object_rewritten.py::f --at "xs=np.array([0.4, 0.9, -0.5]), w=np.array([0.3, 0.2, 0.7])"

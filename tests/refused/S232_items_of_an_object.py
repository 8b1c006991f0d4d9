import numpy as np


class Squares:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        return self.xs[i] ** 2

    def __len__(self):
        return len(self.xs)


def f(xs, w):
    return np.dot(Squares(xs), w)

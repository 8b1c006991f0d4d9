"""What is calculated for a slice that is added to is called once; the slice itself has no name."""

import numpy as np


class Poly:
    def __init__(self, c):
        self.c = np.asarray(c)

    def __len__(self):
        return len(self.c)

    def padded(self, k):
        c = np.zeros((4, 2))
        c[: len(self), k] += self.c
        return c


def f(c):
    return np.sum(Poly(c).padded(1)[:, 1] ** 2)


ARGS = (np.array([0.7, -0.4, 1.3]),)

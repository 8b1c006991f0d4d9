"""The name that a method of the base bound its parameter to was taken for one that the branch before it had made: the
binding was left out."""

import numpy as np


class Base:
    def __init__(self, u):
        self.u = u

    def step(self, i, I, k):
        self.u = self.u * k
        I = I[::-1]
        self.u = np.take(self.u, I)


class Sub(Base):
    def step(self, i, I, k):
        if I[i] > 1:
            self.u = self.u * k
        super().step(i, I, k)


def f(u, k: float, n: int, I):
    q = Sub(u)
    for i in range(n):
        q.step(i, I, k)
    return np.sum(q.u * u)


ARGS = (np.array([0.3, -0.4, 0.9]), 0.7, 2, np.array([2, 0, 1]))
WRT = ("u", "k")

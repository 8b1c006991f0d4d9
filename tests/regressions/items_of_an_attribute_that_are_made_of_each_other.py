"""Which class the items of a list have was asked without an end: each is a product of others."""

import numpy as np


class Net:
    def __init__(self, a, k):
        self.k = k
        self.parts = []
        for t in a[:2]:
            self.parts.append(t * k)

    def r(self, v):
        self.parts.append(v[0] * self.k)
        return self.parts[-1] * self.parts[0]


# s2s: a (3,), x ()
def f(x, a):
    u = a * x
    w = a + 0.3
    m = Net(a * x, 0.4)
    s = sum([m.r(t * m.r(u)) for t in (u, w)])
    return np.sum(u * u) + s + m.k


ARGS = (0.7, np.array([0.4, -0.3, 0.9]))
WRT = ("x", "a")

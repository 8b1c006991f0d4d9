import numpy as np


class Tape:
    def __init__(self, a):
        self.items = [a]
        self.total = 0.0

    def push(self):
        self.items.append(np.exp(-self.items[-1]))
        self.total += np.sum(self.items[-1])
        return self.items[-1]


def both(y):
    return np.exp(-y), np.exp(-y)


def f(x):
    t = Tape(x * 1.0)
    u = np.exp(-t.items[-1])
    a = t.push()
    a[0] *= 2.0
    b = np.exp(-t.items[-1]) * u
    p, q = both(x)
    p[0] *= 2.0
    q[1] *= p[0]
    return np.sum(a * b * p * q) + t.total


ARGS = (np.array([0.4, -0.3, 0.7]),)

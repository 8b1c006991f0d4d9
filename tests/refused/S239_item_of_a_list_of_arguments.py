import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def swapped(p, q):
    return [q, p]


# s2s: u (3,), v (3,)
def f(u, v, k: float):
    q = Pair(u * k, v * k)
    q.b = swapped(q.a, q.b)[0]
    q.a[0] = k
    return np.sum(sum((q.a, q.b)) ** 2)

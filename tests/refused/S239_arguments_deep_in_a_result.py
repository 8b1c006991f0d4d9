import numpy as np


def pairs(p, q):
    last = [p]
    return [[q], last]


# s2s: u (3,), v (3,)
def f(u, v, k: float):
    a = u * k
    b = v * k
    w = pairs(a, b)[0][0]
    a = b
    a[0] = k
    return np.sum(w**2) + np.sum(a)

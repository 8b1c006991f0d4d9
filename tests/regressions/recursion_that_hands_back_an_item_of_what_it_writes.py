import numpy as np


def scan(a, c):
    n = len(a)
    if n == 1:
        a[0] = a[0] * c
        return a[0]
    m = n // 2
    first = scan(a[:m], c)
    return scan(a[m:], c * first)


def f(x, c):
    y = x * x
    last = scan(y, c)
    return last + np.sum(y * x)


ARGS = (np.array([0.4, -0.3, 1.1, 0.9]), 0.8)

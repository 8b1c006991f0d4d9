import numpy as np


def step(u, v, n):
    for k in range(n):
        u[1:] = v[:-1] * 2.0
        if u[1] > 1.0:
            return
        if k > 5:
            break


def march(x, n: int):
    a = x**2
    step(a, a, n)
    return np.sum(a**2)

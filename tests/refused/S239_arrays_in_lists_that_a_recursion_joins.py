import numpy as np


def total(u, v, n):
    a = [u]
    b = [v]
    both = a + b
    both[-1][0] = both[0][1] * both[0][2]
    if n > 0:
        return total(u, v, n - 1) * both[0][0]
    return np.sum(both[0] * both[1])


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    u = x * x
    v = y * x
    return total(u, v, n) + u @ v

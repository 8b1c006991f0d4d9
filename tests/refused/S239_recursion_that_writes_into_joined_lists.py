import numpy as np


def total(xs, ys, n):
    both = xs + ys
    both[0][0] = both[1][1] * both[1][2]
    if n > 0:
        return total(ys, xs, n - 1) * both[0][0]
    return np.sum(both[0] * both[1])


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    a = [x * x, x * y]
    b = [y * x, y + 1.0]
    return total(a, b, n) + a[0] @ b[0]

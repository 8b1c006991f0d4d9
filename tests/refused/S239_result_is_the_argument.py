import numpy as np


def head(y, n):
    for k in range(n):
        if y[k] < 0.0:
            break
        if y[k] > 0.5:
            return y[k:]
    return y[:2]


def march(x, n: int):
    y = x**2
    h = head(y, n)
    y[0] = 5.0 * y[1]
    return np.sum(h**2)

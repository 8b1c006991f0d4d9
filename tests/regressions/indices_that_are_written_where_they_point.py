import numpy as np


def f(x, c: float):
    y = x * x
    i = np.array([1, 2, 0, 4, 3])
    for k in range(3):
        y[i] = np.sin(y * c)
        i[i] = (i + k) % 5
        y[i[0]] *= y[1]
    return np.sum(y * x)


ARGS = (np.array([0.4, -0.3, 1.7, 0.9, 1.2]), 0.8)

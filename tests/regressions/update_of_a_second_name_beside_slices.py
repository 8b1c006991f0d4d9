import numpy as np


def f(u, v, k: float):
    x = u.copy()
    y = v * k
    for _ in range(2):
        edge = x.copy()
        edge[1:-1] -= k * x[:-2]
        before = x
        x = before * y
        same = x
        same *= k
        y = same**2
    return np.sum(x)


ARGS = (np.array([0.3, 0.5, 0.7]), np.array([0.2, 0.9, -0.4]), 0.5)

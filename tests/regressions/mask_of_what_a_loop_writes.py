import numpy as np


def f(x):
    x = x.copy()
    v = x
    w = np.cos(x)
    s = x[0]
    for _ in range(2):
        v[v < w[0]] = s
    w[1] = w[0]
    return np.sum(v * v)


ARGS = (np.array([0.3, 1.8, -0.2, 1.5]),)

import numpy as np


def double(q):
    q *= 2.0


def push(q):
    q += q * np.sin(q)


def f(w):
    w = w.copy()
    for k in range(1, 5):
        w[k] = np.sin(w[1]) * w[k]
    double(w)
    for k in range(1, 5):
        w[k] = w[0] * np.cos(w[k])
    push(w)
    return np.sum(w)


ARGS = (np.array([0.8, 1.1, 1.2, 1.0, -1.4]),)

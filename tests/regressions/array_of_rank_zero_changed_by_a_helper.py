import numpy as np


def decay(u, q):
    while np.abs(u) > 0.35:
        u *= 0.6
    return q + np.sin(u)


def f(x, y):
    for _ in range(3):
        x = np.tanh(decay(np.where(y > x, x * 3.0, y * 2.0), y) * x + y)
    return x


ARGS = (0.7, 0.9)

import numpy as np


def halve(y, u):
    u[...] = u * 0.5 + y


# s2s: W (2, 3)
def f(W, n: int):
    halve(W[n % 2, 0] * 1.0, np.squeeze(W.reshape(1, 6))[-5:2])
    return np.sum(W * W)


ARGS = (np.linspace(0.3, 1.1, 6).reshape(2, 3), 1)
WRT = ("W",)

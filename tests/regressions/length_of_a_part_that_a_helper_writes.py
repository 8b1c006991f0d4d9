import numpy as np


def halve(u, y):
    y[...] = 0.5 * y * u[0]


# s2s: u (2,), w (3,)
def f(u, w):
    for k in range(len(w[1:])):  # the length is that of before, whatever the elements are
        halve(u, w)
    return np.sum(w) + u[1]


ARGS = (np.array([0.3, -0.8]), np.array([1.2, 0.7, -0.9]))

"""The cotangents of x and a were read at `bufs_bar[0, 0]`, of a list: a TypeError at valid input."""

import numpy as np


# s2s: w (3,)
def f(a: float, w, x: float):
    bufs = []
    for _ in range(2):
        bufs.append(w)
    bufs[0][...] = np.array([x, 2.0 * x, a])
    return np.sum(w * w)


ARGS = (0.4, np.array([0.3, -0.7, 1.1]), 0.6)

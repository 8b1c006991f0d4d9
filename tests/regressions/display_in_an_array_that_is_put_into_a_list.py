"""The item of a slot was read as an item of the list: `bufs_bar[1, 0]`."""

import numpy as np


# s2s: u (1,)
def f(u, x: float):
    bufs = [u * 2.0, u * 3.0]
    bufs[1] = np.array([x], dtype=float)
    u = u + np.tanh(bufs[1]) * bufs[0]
    return np.sum(u * bufs[1])


ARGS = (np.array([0.4]), -0.6)

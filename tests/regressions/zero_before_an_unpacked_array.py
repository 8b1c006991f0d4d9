"""A number that starts as the 0 of a sum, and may be an item of a written array: it was asserted to be a float."""

import numpy as np


def f(u, v, n):
    s = sum([q for q in v if q < 0.4])
    u[:-1] = u[1:]
    for k in range(n):
        s, s, y = v
    v = v if 0.5 > 0.3 else u
    return np.sum(v * s)


ARGS = (np.array([-0.34, -1.05, 0.44]), np.array([1.09, 0.18, -0.09]), 1)
WRT = ("u", "v")

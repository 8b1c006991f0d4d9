"""A list by append that is read at k and at -1."""

import numpy as np


def f(x):
    hs = []
    h = x[0]
    for k in range(len(x)):
        h = h * x[k] + np.sin(h)
        hs.append(h)
    s = 0.0
    for k in range(len(hs)):
        s += hs[k] * hs[-1]
    return s


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

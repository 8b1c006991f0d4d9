"""The tangent of a list that starts with an item which is costly and carries no derivative."""

import numpy as np


def f(u):
    acc = 0.0
    hs = [np.arange(15) * 1.0]
    hs.append(u)
    for z in hs:
        acc = acc + np.sum(z * 2.0) * acc + np.sum(z)
    return acc


ARGS = (np.array([0.9, 0.3, -1.4]),)

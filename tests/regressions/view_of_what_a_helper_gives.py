"""A view of an array that a helper gives is written behind a loop over the array. (A false alarm of the checker.)"""

import numpy as np


def helper1(q, x):
    return (np.sum(np.sin(q)), np.exp(q))


# s2s: w (5,)
def f(b: float, w, x: float):
    x, w = helper1(w, x)
    view3 = w[1:-2]
    hs4 = []
    hs4.append(x)
    acc6 = 0.0
    for u7, w8 in zip(hs4, w):
        acc6 += np.sum(u7) * w8
    for k14 in range(1, 2):
        view3[k14] = view3[k14]
    return acc6


ARGS = (0.5, np.array([0.9, 0.3, -1.4, 0.7, 1.2]), 0.7)
WRT = ("w",)

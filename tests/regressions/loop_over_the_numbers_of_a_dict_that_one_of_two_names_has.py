"""What runs over `p`, a dict of numbers that is an item of a list or another, took its entries for its keys."""

import numpy as np


def f(params, x):
    s = 0.0
    p = params[0]
    for _ in range(2):
        for k in p:
            s = s * 0.5 + np.sum((p[k] + 0.1 * k + 0.5) ** 2) * x[0]
        p = params[1]
    for q in params:
        r = q if x[0] > 0 else params[0]
        for j, k in enumerate(r):
            s = s * 0.5 + np.sum((r[k] + 0.1 * k + 0.5) ** 2) * x[j]
    return s


ARGS = ([{0: 1.0, 1: 0.0}, {0: 0.0, 1: 1.0}], np.array([0.3, -0.7, 1.2]))
WRT = ("params", "x")
SCALAR = True

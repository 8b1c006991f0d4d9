"""`u = u` of what a closure runs over: whether it holds lists was asked for ever."""

import numpy as np


def f(x, u):
    # s2s: u (3,)
    w = u

    def inner(y):
        return np.sum(np.array([q * y for q in w]))

    u = u
    return inner(x) * u[0]


ARGS = (0.7, np.array([0.31, 0.57, -0.42]))
WRT = ("x", "u")

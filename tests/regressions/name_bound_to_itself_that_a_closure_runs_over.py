"""`u = u` of what a closure runs over: whether it holds lists was asked for ever."""

import numpy as np


def f(x, u):
    # s2s: u (3,), x ()
    w = u

    def inner(y):
        nonlocal x
        return np.sum([q for q in w]) * y

    u = u
    return inner(x)


ARGS = (0.7, np.array([0.31, 0.57, -0.42]))
WRT = ("x", "u")

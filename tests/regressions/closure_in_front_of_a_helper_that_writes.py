"""`f(total(), fill(w, x))`: what the function inside reads, it reads before the helper writes. The helper's text stood in
front of the statement, as `total` is no name of what is written."""

import numpy as np


def fill(u, t):
    u[:] = t
    return u


def mix(a, b):
    return a * b + a


def f(x, v):
    w = v * x

    def total():
        return np.sum(w)

    s = mix(total(), fill(w, x)[1])
    weigh = lambda k: w[k] * 2.0
    return s + mix(weigh(1), fill(w, s)[0]) + total()


ARGS = (0.7, np.array([1.1, -0.7, 0.9]))
WRT = ("x", "v")
SCALAR = True

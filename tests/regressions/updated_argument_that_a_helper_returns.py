"""A helper updates its argument by `+=` and returns it: the result was not taken for the array that is written later."""

import numpy as np


def shifted(u, s):
    u += s
    return u


# s2s: p (3,), x ()
def f(p, x):
    t = shifted(p, x)
    y = np.sum(np.sin(t))
    p[::2] = 3.0
    return y


ARGS = (np.array([0.4, -0.2, 0.7]), 0.3)

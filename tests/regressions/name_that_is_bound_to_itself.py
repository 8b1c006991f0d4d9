"""`u, u = u, u` of a name that is bound nowhere else, in a helper that is never called: views without an end."""

import numpy as np


def g(y, s):
    s, u[1] = u, y
    u, u = u, u


# s2s: x (), v (3,)
def f(x, v):
    w = v * x
    if 0.5 < 1.3 <= 0.7:
        w[1] = g(x, x)
    return np.sum(w * v)


ARGS = (0.7, np.array([0.4, 0.3, -0.2]))

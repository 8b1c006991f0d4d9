"""A helper writes into its arguments, and returns numbers in a tuple: they are no parts of what it was given."""

import numpy as np


def write(u, v):
    u += v * 0.5
    v[1] = u[0]
    return u[2], v[2]


# s2s: v (3,)
def f(v):
    u, w = v * 1.5, np.cos(v)
    a, b = write(w, u)
    c, d = write(u, w)
    return a * b * c * d * np.sum(u * w)


ARGS = (np.array([0.4, 0.9, -0.5]),)

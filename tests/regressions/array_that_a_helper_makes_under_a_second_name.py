"""The adjoint of what a helper makes, which gets a second name in a branch, was the number 0.0."""

import numpy as np


def g0(u, t):
    u[1] = t * u[0]
    return u * u


# s2s: u (3,), x ()
def f(x, u):
    w = g0(u, 1.3)
    if 0.3 < x:
        u = w
    w *= x
    u[1] = x * u[0]
    return np.sum(u) + np.sum(w * w)


ARGS = (0.7, np.array([0.4, 0.3, -0.2]))

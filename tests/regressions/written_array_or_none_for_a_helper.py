"""The adjoint of a written array that is None in one branch was None, and was added to."""

import numpy as np


def maybe(z, u=None):
    if u is None:
        return z
    return u[1] * z


def f(v, k):
    v = v.copy()
    chosen = None
    if k > 1.5:
        chosen = v
    t = maybe(v[-1], chosen)
    v *= k
    return t + np.sum(v)


ARGS = (np.array([0.6, 0.25, 0.85]), 0.7)

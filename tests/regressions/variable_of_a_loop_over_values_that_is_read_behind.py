"""A loop over the values of a known dict, written out, left its variable as it was before."""

import numpy as np


def f(u, v, k):
    w = u * v
    values = {"a": u + v, "b": v * k}
    for w in values.values():
        last = w * 2.0
    return np.sum(w * last)


ARGS = (np.array([0.4, 0.7, 0.3]), np.array([0.6, 0.25, 0.85]), 0.7)

"""A generator computes each item in its turn: what the body of the loop binds anew is seen by those that follow."""

import numpy as np


def f(u, v, k):
    total = 0.0
    for w in (y * k for y in [u, v]):
        total += w[0] * k
        k = k * 0.9
    return total


ARGS = (np.array([0.4, 0.7, 0.3]), np.array([0.6, 0.25, 0.85]), 0.7)

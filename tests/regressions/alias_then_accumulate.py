"""p_bar = p would be corrupted by a later +=: a borrowed adjoint is copied."""

import numpy as np


def f(p, q):
    s = p
    t = p
    u = s + q
    return np.sum(u * t) + np.sum(s) + np.sum(q**2)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), np.array([0.7, -1.2, 0.4, 1.6, -0.3]) * 0.5)

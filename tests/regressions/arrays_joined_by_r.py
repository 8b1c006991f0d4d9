"""np.r_ joins what it is subscripted with: its items carry derivatives, though they stand in a key."""

import numpy as np

ARGS = (np.array([0.3, -0.5, 0.8]), 0.7)


def f(v, x: float):
    w = np.r_[v * 2.0, x, 0:x:3j, -1.0, v[1:]] ** 2
    return np.sum(w[np.r_[0:2, 3]]) + w[-1] * np.sum(w)

"""A named tuple in one branch and None in the other: its adjoint was a list, whose fields were asked for, and raised."""

from typing import NamedTuple

import numpy as np


class Duo(NamedTuple):
    a: np.ndarray
    b: np.ndarray


def f(x, y, m: int):
    u = None
    if m > 1:
        u = Duo(x * y, x)
    if u is None:
        return np.sum(x)
    best = None
    for i in range(m):
        v = Duo(u.b * i, y)
        if best is None or np.sum(v.a) > np.sum(best.a):
            best = v
    return np.sum(u.b) + np.sum(u.a * y) + np.sum(best.a * best.b)


ARGS = (np.array([0.3, 0.4, 0.5]), np.array([0.7, 0.4, 0.6]), 2)
WRT = ("x", "y")

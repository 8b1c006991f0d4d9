"""A value in a dict is given, under its name, to a function that takes as many values as there are."""

from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    s: float


def weigh(*s, x=0.5, **k):
    y = x
    for t in s:
        y = y * t + k.get("w", 1.0)
    return y


def f(y, v):
    p = Point(np.sin(y))
    args = (p.s, 0.5)
    shown = {"w": y, "x": v[2]}
    y = weigh(*args, **shown)
    return y * p.s


ARGS = (0.7, np.array([0.4, 1.3, -0.8]))

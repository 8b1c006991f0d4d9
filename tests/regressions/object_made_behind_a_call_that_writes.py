"""`step(x) + Point(y, x).x` where `step` binds y anew, and `fill(w, x) + Point(w[0], x).total()`: the object was made in
front of the statement, of what y and w were before the call."""

from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    x: float
    y: float

    def total(self):
        return self.x * self.y


class Cell:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def total(self):
        return self.a * self.b + self.a

    def grow(self, t):
        self.a = self.a * t
        return self.a


def fill(w, t):
    w[0] = t * w[1]
    return t


# s2s: v (3,), x ()
def f(x, v):
    y = x * 1.5
    w = v * x
    p = Point(y, x)
    o = Cell(y, x)

    def step(a):
        nonlocal y
        y = a * y
        return a * y

    def put(t):
        w[0] = t * w[1]
        return t

    s = step(x) + p._replace(x=y).x
    s += step(x) + Point(y, s).total()
    s += step(x) * Cell(y, s).grow(x)
    s += step(x) + o.grow(y)
    s += (y := s * x) + Point(y, s).total()
    s += put(x) + Cell(w[0], x).total()
    s += w[0] + fill(w, s) * Cell(w[0], w[1]).total()
    s += o.grow(x) * Cell(o.a, o.b).total()
    return s * y + o.a + np.sum(w)


ARGS = (0.7, np.array([1.1, -0.7, 0.9]))
WRT = ("x", "v")
SCALAR = True

"""`Cell.of(y).a, (lambda t: step(t) * t)(x)` where `step` binds y anew: what the object holds was read where it is used,
behind the call."""

import numpy as np


class Cell:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    @classmethod
    def of(cls, t):
        return cls(t, t * 2.0)


# s2s: v (3,), x ()
def f(x, v):
    y = x * 1.5
    w = v * x

    def step(a):
        nonlocal y
        y = a * y
        return a * y

    def put(t):
        w[0] = t * w[1]
        return t

    a, *b = Cell.of(y).a, (lambda t: step(t) * t)(x), Cell.of(y).a
    z = Cell.of(y).a * (y := y * x) + Cell(y, x).b
    z += Cell.of(w[0]).a * put(x) + Cell(w[0], x).a
    z += Cell.of(w[0]).a * (lambda t: put(t) * t)(x) + Cell(w[0], x).a
    return a * b[0] + b[1] * y + z * w[1]


ARGS = (0.7, np.array([1.1, -0.7, 0.9]))
WRT = ("x", "v")
SCALAR = True

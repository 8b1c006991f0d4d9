"""Nested functions that read a parameter whole, or a part of it, of which a part has been changed: they were given the
parameter as it had been, and value and derivative were wrong."""

import numpy as np


class State:
    def __init__(self, a, w):
        self.a = a
        self.w = w

    def __eq__(self, other):
        return vars(self) == vars(other)


def get(s):
    return s.a * 2.0


def f(x, s: State):
    s.a = s.a * x[0]
    h = lambda i: get(s) * i

    def long(i):
        t = s.a * 3.0
        u = s.w * s.a
        return t * i + np.sin(u)

    def down(n, t):
        return t * s.a if n == 0 else down(n - 1, t * s.w)

    return h(x[1]) + long(x[2]) + down(2, x[0]) + sum(map(long, [x[0], x[1]]))


ARGS = (np.array([0.5, 1.2, -0.3]), State(0.8, 0.35))
WRT = ("x",)

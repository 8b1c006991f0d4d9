"""Entries that are each computed of several operands were taken to have one shape in a helper that is given them, where
the test of one says that it is a number: the cotangent of the array was summed."""

from types import SimpleNamespace

import numpy as np


def step(s, k):
    new = s.a * k + s.b * s.t
    return SimpleNamespace(a=new, b=s.b * new, t=s.t + k * new[0])


def choice(s, k):
    if s.t > 0.6:
        return SimpleNamespace(a=s.a * k, b=s.b * 1.0, t=1.0)
    return SimpleNamespace(a=s.b + k, b=s.a * 0.5, t=s.t * k)


def f(a, b, k):
    s = step(SimpleNamespace(a=a, b=b, t=k), k)
    s = choice(s, k)
    s = step(s, k)
    return np.sum(s.a * s.t)


ARGS = (np.array([0.26, 0.37, 0.76]), np.array([0.61, 0.27, 0.5]), 0.7)

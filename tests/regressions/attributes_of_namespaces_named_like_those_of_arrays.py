"""Attributes of namespaces are what they were given, also where arrays have one of that name."""

from types import SimpleNamespace

import numpy as np


def area(b):
    w = b.size
    return w * b.shape


def first(pair):
    u = pair[0].size
    return u * pair[1] * pair[0].shape


def two(x):
    return SimpleNamespace(size=x[0], shape=x[1]), x[2]


def f(x):
    boxes = [SimpleNamespace(size=a, shape=2.0 * a) for a in x]
    b = SimpleNamespace(size=x[0], shape=x[1])
    c, y = two(x)
    total = area(b) + first((b, x[2])) + c.size * c.shape * y
    for box in boxes:
        total = total + box.size * x[1]
    return total * x.size


ARGS = (np.array([0.7, 1.3, 0.4]),)

"""A helper that is given an object and a part of it has that part, also once it has bound another one to the object."""

import numpy as np


class Part:
    def __init__(self, v):
        self.v = v


class Whole:
    def __init__(self, part, k):
        self.part = part
        self.k = k


def exchange(whole):
    whole.part = Part(3.0 * whole.k)


def at_once(whole, part):
    whole.part = Part(2.0 * part.v)
    return part.v * whole.part.v


def inside(whole, part):
    exchange(whole)
    return part.v * whole.part.v


def f(x):
    a = Whole(Part(x[0]), x[1])
    b = Whole(Part(x[1]), x[2])
    return at_once(a, a.part) * a.part.v + inside(b, b.part) * b.part.v


ARGS = (np.array([0.7, 1.3, 0.4]),)

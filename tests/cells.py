"""The classes and helpers of the programs of bodies.py, which carry this text: small, and full of side effects."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Cell:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def put(self, k):
        self.a[0] = k

    def bind(self, v):
        self.b = v
        return self

    def same(self):
        self.a = self.b

    def swap(self):
        self.a, self.b = self.b, self.a

    def step(self, v, k=0.5):
        self.b = self.b + v * k
        return self

    def get(self):
        return self.a

    def new(self, k):
        return Cell(self.b, self.a * k)

    def take(self, other):
        self.b = other.a

    def bump(self, k):
        self.a[1] += k
        return self.b[0]

    @property
    def total(self):
        return np.sum(self.a * self.b)

    @property
    def head(self):
        return self.a


@dataclass
class Num:
    a: float
    b: np.ndarray

    def step(self, v, k=0.5):
        self.a = self.a + v[0] * k
        return self

    def put(self, k):
        self.b[0] = self.a * k

    def bind(self, v):
        self.b = v
        return self.a

    def take(self, other):
        self.b = other.b

    @property
    def total(self):
        return self.a * self.b[0]


class Duo(NamedTuple):
    a: np.ndarray
    b: np.ndarray

    def get(self):
        return self.b

    def new(self, k):
        return self._replace(a=self.b * k)

    def swap(self):
        return Duo(self.b, self.a)

    @property
    def total(self):
        return np.sum(self.a) * self.b[1]


def put(o, k):
    o.a[0] = k * 2.0


def bind(o, v):
    o.b = v
    return o


def either(o, u, k):
    if k > 0.5:
        return o
    return u


def across(o, u):
    o.a, u.b = u.b, o.a
    return u.a[0]


def field(o, k=1.5):
    return o.b * k


def make(v, k):
    o = Cell(v, v)
    o.put(k)
    return o


def copied(o):
    return Cell(o.a.copy(), o.b)

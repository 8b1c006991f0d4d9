"""`math.sqrt(...)` as a statement, which such a call of a method becomes, was refused: it might have changed a value."""

import math

import numpy as np


class Orbit:
    def __init__(self, a, e):
        self.a = a
        self.e = e

    def period(self):
        return math.sqrt(self.a**3)

    def shape(self):
        return np.abs(self.e)


def f(a, e):
    orbit = Orbit(a, e)
    orbit.period()
    orbit.shape()
    return orbit.a * (1.0 - orbit.e)


ARGS = (1.3, 0.2)

"""`x += 1.0` in a function that calls itself was taken for a store into an array, although x is a number."""

import math


def psi(x):
    if x <= 0.0:
        return psi(1.0 - x) - math.pi / math.tan(math.pi * x)
    shift = 0.0
    while x < 4.0:
        shift -= 1.0 / x
        x += 1.0
    return shift + math.log(x)


def f(x):
    return psi(x) * x


ARGS = (-0.7,)

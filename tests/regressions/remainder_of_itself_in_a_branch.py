"""The checker took the adjoint of `x`, which `x = x % 2.0` leaves as it is, for that of another binding of `x`."""

from math import fmod


def f(x, y):
    m = y
    k = x * y
    if x < 1.0:
        m = m % 2.0
        k = fmod(k, 0.3)
    return m * m + k * k


ARGS = (0.7, 1.6)

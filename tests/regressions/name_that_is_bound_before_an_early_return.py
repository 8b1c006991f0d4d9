"""A constant that is bound before an early return and again in a branch behind it was None there."""

import numpy as np


def f(x, b, n: int):
    q = np.tanh(2.0) ** 2
    if n % 2 == 0:
        return x
    if b + x < -3.0:
        b = 2.0
    elif -q > b:
        x = q * x
        while np.abs(x) > 0.35:
            x = x * 0.6
            q = np.cos(2.0) * q
    return q + x


ARGS = (1.03, -1.3, 3)
WRT = ("x",)

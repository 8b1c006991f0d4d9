"""A function that calls itself, binds what it gives, and returns the value of a call, at its only return."""

import numpy as np


def power(x, n):
    y = x
    if n > 0:
        inner = power(x, n - 1)
        y = inner * np.sin(x)
    return np.tanh(y)


def f(x):
    return np.sum(power(x, 3))


ARGS = (np.array([0.9, 0.3, -1.4]),)

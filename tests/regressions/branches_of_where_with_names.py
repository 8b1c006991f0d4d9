"""Branches of np.where that have names: where they are not taken, they are infinite or not a number, and add nothing."""

import numpy as np


def f(x, c: float):
    with np.errstate(all="ignore"):
        root = np.sqrt(x)
        scaled = root * 3.0 + np.log(x)
        quotient = 1.0 / x
        power = x**c * c
        y = np.where(x > 0.5, scaled, x)
        z = np.where(x > 0.5, np.tanh(quotient) * power, x**2)
        return np.sum(y * z) + np.sum(np.where(x < 0.5, x, quotient**2))


ARGS = (np.array([0.1, 1.1, 2.0]) - np.array([0.1, 0.1, 0.0]), 0.7)

"""Exponents at which a general formula divides by zero."""

import numpy as np


def f(x):
    return x[0] ** 0 * x[1] ** 1 + x[2] ** 2 + x[3] ** 2.0 * x[4] ** 3


ARGS = (np.array([0.0, -1.2, 0.0, 1.6, -0.3]),)

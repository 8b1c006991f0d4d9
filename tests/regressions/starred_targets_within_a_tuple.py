"""A starred target inside a tuple of targets: its items have adjoints of their own."""

import numpy as np


def f(x):
    a, (b, *c) = x[0], (x[1] * x[2], x[3], 2.0 * x[4])
    return a * b + sum(c) * c[0]


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

"""A lambda that a maker is given reads what it captures when it is called, not where it is handed on."""

import numpy as np


def compose(f, g):
    return lambda y: f(g(y))


def f(u, v, k):
    law = compose(lambda y: k * y, lambda y: y + 1.0)
    k = k * 2.0
    return np.sum(law(u) * v)


ARGS = (np.array([0.4, 0.7, 0.3]), np.array([0.6, 0.25, 0.85]), 0.7)

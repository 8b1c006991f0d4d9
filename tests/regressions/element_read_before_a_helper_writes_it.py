"""An element that is read, in the same statement, before a helper writes into the array: so is its tangent."""

import numpy as np


def push(v, x):
    v[0] = v[0] * x
    return v[0]


def f(v, x):
    w = v.copy()
    s = w[0] + push(w, x) * w[0] + push(w, x * x)
    return s * w[0]


ARGS = (np.array([0.9, 0.3, -1.4]), 0.6)

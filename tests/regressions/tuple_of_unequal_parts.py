"""The adjoint of a tuple that a helper takes and gives has its structure: it is not multiplied by ones."""

import numpy as np


def advance(state, x):
    a, s = state
    return np.sin(a * s), s + 0.3 * x * np.sum(a)


def f(v, x):
    state = (v * 1.0, x)
    for _ in range(2):
        state = advance(state, x)
    a, s = state
    return np.sum(a) * s


ARGS = (np.array([0.9, 0.3, -1.4]), 0.6)

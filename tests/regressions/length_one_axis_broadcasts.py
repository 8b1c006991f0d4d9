"""(3, 1) with (1, 4), and an axis of length one that stays."""

import numpy as np


def f(a, b):
    return np.sum(np.sin(a * b) + a)


ARGS = (np.array([[0.3], [0.7], [-1.1]]), np.array([[0.2, 0.9, -0.4, 1.3]]))

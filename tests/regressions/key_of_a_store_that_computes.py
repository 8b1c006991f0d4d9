"""The key of a store is an expression within an expression: `(i + 1) % n`."""

import numpy as np


def f(v, x):
    w = v.copy()
    for i in range(len(v)):
        w[(i + 1) % 3] = np.sin(w[i]) * x
        w[(2 * i + 1) // 2 - i] *= w[(i + 2) % 3]
    return np.sum(w**2)


ARGS = (np.array([0.9, 0.3, -1.4]), 0.6)

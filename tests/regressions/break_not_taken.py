"""The same exit, not taken."""

import numpy as np


def f(x, v):
    s = x
    p = 1.0
    for i in range(len(v)):
        p = s * v[i]
        if s > 3000.0:
            s = s * p
            break
        s = s * x + p
    return s * p


ARGS = (1.1, np.array([0.7, 0.9, 0.4, 1.6, -0.3, 0.5]))

"""Each reader sees the value of its time."""

import numpy as np


def f(x):
    y = x[0] * x[1]
    z = np.sin(y)
    y = y * z
    w = y**2 * z
    y = w * x[2]
    return y * z * w


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

"""The item of the inner loop is not bound when the outer one begins."""

import numpy as np


def f(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1):
            s = s + x[j]
        s = s * (j + 1)
    return s * (i + 1)


ARGS = (np.array([0.7, 0.4, 1.3]),)

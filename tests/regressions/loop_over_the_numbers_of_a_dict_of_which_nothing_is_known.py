"""The reverse sweep took `d[t]` for the t-th key of a parameter that is run over: of a dict that is an entry of it."""

import numpy as np


def f(d, rows, x):
    s = 0.0
    for k in d:
        s = s * 0.5 + x[k] ** 2
    for row in rows:
        for k in row:
            i = k - 1
            if k > 0:
                s = s * 0.5 + x[i] ** 2 * x[k]
    return s


ARGS = ({0: 1, 1: 2}, [{0: 1, 1: 2}, {0: 2, 1: 0}], np.array([0.3, -0.7, 1.2]))
WRT = ("x",)
SCALAR = True

"""y[m][::-1] of a mask or of indices is a part of a copy: its adjoint was added to a copy, too, and lost."""

import numpy as np


def f(x, m):
    y = x.copy()
    y[m] = y[m][::-1] * 2
    return np.sum(y**2) + np.sum(y[m][1:] * x[0])


ARGS = (np.array([0.7, 1.3, 2.2]), np.array([True, False, True]))
WRT = ("x",)

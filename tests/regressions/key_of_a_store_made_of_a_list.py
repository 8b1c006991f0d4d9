"""z[int(max([x * y, y]))] = ...: what the list holds stood in the call as it was written, and is no atom."""

import numpy as np


def f(x: float, y: float, v):
    z = np.zeros(3)
    z[int(max([x * y, y * y]))] = y * x
    return np.sum(z * v)


ARGS = (1.3, 0.7, np.array([0.2, 0.6, 1.1]))
WRT = ("x", "y", "v")
SCALAR = True

"""What follows a continue is the other branch."""

import numpy as np


def f(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s = s + x[i] ** 2
            continue
        s = s * x[i] - 1.0
    return s * s


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

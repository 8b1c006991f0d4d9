"""A test reads an item of a list that its branch appends to: where its name is bound was asked of the primal, in which
it has none."""

import numpy as np


def f(x, y):
    K = [0.3, x[1]]
    i = 0
    for i, best in enumerate(y):
        if 0.6 < K[i]:
            K.append(0.4)
        else:
            pass
    return i * x[0]


ARGS = (np.array([0.4, 0.9]), np.array([0.4, 0.1]))
WRT = ("x",)

"""A list that is written out in the header of a loop is read twice where the user's header is printed again."""

import numpy as np


def f(x, starts):
    y = np.zeros(len(starts))
    for k, (start, stop) in enumerate(zip(starts, [*starts[1:], len(x)], strict=True)):
        y[k] = np.sum(x[start:stop] ** 2)
    return np.sum(np.sin(y))


ARGS = (np.array([0.7, -1.2, 0.4, 1.1]), np.array([0, 2, 3]))
WRT = ("x",)

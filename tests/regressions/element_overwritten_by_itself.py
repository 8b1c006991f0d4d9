"""A new array's element that is read, and overwritten at once; other stores of a recurrence need not be undone."""

import numpy as np


def f(x):
    y = x * x
    y[0] = y[0] * y[1]
    for i in range(1, 5):
        y[i] = y[i] * np.sin(y[i - 1])
    for i in reversed(range(4)):
        y[i] = y[i] * y[i + 1] + y[0]
    return np.sum(y**2)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]),)

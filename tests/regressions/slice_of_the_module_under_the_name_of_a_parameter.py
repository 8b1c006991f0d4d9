"""A parameter of a function inside has the name of a slice of the module: it is another value there."""

import numpy as np

PART = slice(0, 2)


def f(x, y):
    def nth(PART):
        return x[PART] * y

    last = lambda PART: x[-PART]
    return np.sum(x[PART]) + nth(3) + last(1) * y


ARGS = (np.array([0.7, -0.3, 1.1, 0.4]), 1.3)

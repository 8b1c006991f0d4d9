"""Two numbers in a tuple name one row of an array of rank 3; in a list, two matrices."""

import numpy as np


def f(x, y):
    a = x * 1.0
    places = [0, 1]
    k = tuple(places)
    a[k] *= y
    return np.sum(a * a * x)


ARGS = (np.arange(12.0).reshape(2, 2, 3) * 0.3 + 0.2, 0.7)

"""A slot of a list is bound to what was taken from it: the facts of its items are found in finitely many steps."""

import numpy as np


def f(x):
    a = [x, 2.0 * x]
    for k in range(3):
        b = a[0]
        b[0] = np.sin(b[1])
        a[0] = b
    return np.sum(a[0]) + np.sum(a[1])


ARGS = (np.array([1.0, 2.0, 0.5]),)

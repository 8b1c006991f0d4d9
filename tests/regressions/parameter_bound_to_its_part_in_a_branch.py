"""A helper's parameter that one branch binds to a part of itself is no chain of parts without an end."""

import numpy as np

ARGS = (np.array([[0.3, -0.5], [0.8, 0.2]]),)


def total(y):
    if y[1, 0] > 0.1:
        y = y[:, ::-1]
        t1 = y[-1:]
    else:
        t1 = y
    return np.sum(y[0]) * np.sum(t1**2)


def f(A):
    return total(A) * total(A.T)

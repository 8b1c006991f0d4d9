import numpy as np


def spread(rows):
    return np.max(rows) - np.min(rows)


def rows_of(x):
    if np.ndim(x) == 1:
        return [x]
    return x


def f(x):
    return spread(rows_of(x)) * spread(rows_of(x))

import numpy as np


def spread(rows):
    return np.max(rows) - np.min(rows)


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return spread(rows) * spread(rows)

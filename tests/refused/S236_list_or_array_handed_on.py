import numpy as np


def squares(rows):
    s = 0.0
    for r in rows:
        s = s + r * r
    return s


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return squares(rows) * squares(rows)

import numpy as np


def spread(rows):
    return np.max(rows) - np.min(rows)


def rows_of(x):
    if np.ndim(x) == 1:
        return [x]
    return x


def f(x):
    return spread(np.array(rows_of(x))) * spread(np.array(rows_of(x)))


# s2s verify S236_list_or_array_handed_on_rewritten.py::f --at "x=np.array([0.3, -0.4, 0.5])"

import numpy as np


def spread(rows):
    return np.max(rows) - np.min(rows)


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return spread(np.array(rows)) * spread(np.array(rows))


# s2s verify S236_list_or_array_handed_on_rewritten.py::f --at "x=np.array([0.3, -0.4, 0.5])"

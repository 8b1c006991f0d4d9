import numpy as np


def f(x):
    first, rest = x[0] * x[1], np.array([x[1] * x[2], x[2]])
    return first * x[0] + np.sum(rest) * x[0]


# s2s verify S236_items_of_both_kinds_rewritten.py::f --at "x=np.array([0.3, -0.4, 0.5])"

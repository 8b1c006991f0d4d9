import numpy as np


def squares(rows):
    s = 0.0
    for r in rows:
        s = s + r * r
    return s


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return squares(np.array(rows)) * squares(np.array(rows))


# s2s verify S236_list_or_array_handed_on_rewritten.py::f --at "x=np.array([0.3, -0.4, 0.5])"

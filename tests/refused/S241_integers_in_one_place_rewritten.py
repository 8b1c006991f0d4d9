import numpy as np


def chosen(x, fine):
    b = np.zeros(3) if fine else np.zeros(3)
    b[:] = 10.0 * x
    return np.sum(b * x)


def asked_for(x, fine):
    b = np.zeros(3, dtype=float)
    b[:] = 10.0 * x
    return np.sum(b * x)


def listed(x):
    rows = []
    rows.append(np.arange(3, dtype=float))
    rows.append(np.zeros(3))
    rows[0][:] = 10.0 * x
    return np.sum(rows[0] * x) + np.sum(rows[1])


# s2s verify S241_integers_in_one_place_rewritten.py::listed --at 'x=np.array([0.1, 0.8, -0.3])'

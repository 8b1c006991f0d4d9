import numpy as np


def chosen(x, fine):
    b = np.zeros(3) if fine else np.zeros(3, dtype=int)
    b[:] = 10.0 * x
    return np.sum(b * x)


def asked_for(x, fine):
    b = np.zeros(3, dtype=float if fine else int)
    b[:] = 10.0 * x
    return np.sum(b * x)


def listed(x):
    rows = []
    rows.append(np.arange(3))
    rows.append(np.zeros(3))
    rows[0][:] = 10.0 * x
    return np.sum(rows[0] * x) + np.sum(rows[1])

"""`rows[0:1] = []` in the body of `try` was written as it is, behind an assert that the slice is empty."""

import numpy as np


# s2s: u (3,)
def f(u):
    try:
        rows = list(u)
        rows[0:1] = []
        rows.insert(0, 2.0 * u[1])
    finally:
        pass
    return rows[0] * sum(rows) + np.sum(u)


ARGS = (np.array([0.7, -0.4, 1.2]),)
WRT = ("u",)

"""`w[:] = w = e` writes into the array that w was, and `r[i] = i = e` into the slot that i was: targets are bound from
left to right."""

import numpy as np


# s2s: v (3,)
def f(y: float, v):
    w = v * 1.0
    rows = [w]
    u = np.sin(v) * y
    w[:] = w = u + v
    k = 0
    r = [y, y * y, y * 3.0]
    r[k] = k = 2
    q = (y + 1.0, y * 2.0)
    (s, t) = s = q
    return np.sum(rows[0] * w) + r[0] * r[k] + s[0] * t


ARGS = (0.3, np.array([1.09, 0.75, -1.12]))

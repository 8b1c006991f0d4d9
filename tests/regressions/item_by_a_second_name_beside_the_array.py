"""`fold(u, 3, v[0])` with v = u: the reverse of the helper added to u_bar in place, while `u_bar[0] += ...` held the old
element for its result."""

import numpy as np


def fold(a, n, total=0.0):
    if n == 0:
        return total
    return fold(a, n - 1, a[n - 1])


def f(x, q):
    u = x.copy()
    v = u
    v[1] = q
    return fold(u, 3, v[0]) * u[1]


ARGS = (np.array([0.31, 0.57, -0.42]), 0.3)
WRT = ("x", "q")

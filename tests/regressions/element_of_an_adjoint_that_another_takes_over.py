"""The adjoint of `k` is an element of that of `u`, whose memory that of `x` takes over and adds to."""

import numpy as np

SCALAR = True
WRT = ("x", "y", "k")
ARGS = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.7)


def f(x, y, k: float):
    # s2s: x (3,), y (3,)
    b = x * y
    u = x.copy()
    u[0] += k
    return np.sum(b) + np.sum(u * y)

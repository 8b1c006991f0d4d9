"""A store adds to its own array's adjoint behind the zero, though the view that it reads is bound by a line before it."""

import numpy as np

ARGS = (np.array([0.3, 0.5]), 1)
WRT = ("u",)


# s2s: u (2,)
def f(u, n: int):
    u[1] = u @ np.atleast_2d(u)[n % 1,]
    return np.sum(u)

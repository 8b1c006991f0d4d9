"""A stencil in place, whose middle is multiplied by another: what reads its adjoint came after what is added there."""

import numpy as np


def f(u, nu, n: int):
    u = u.copy()
    for _ in range(n):
        u[1:-1] += nu * (u[2:] - 2 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u**2)


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), 0.3, 2)
WRT = ("u", "nu")

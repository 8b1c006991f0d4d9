"""The tangent of np.abs(z)**2 was summed over its elements where the ranks of z and of its modulus had two names."""

import numpy as np


def f(u, v, A, k: float, n: int):
    M = A
    kept = [k]
    s = 0.0
    for _ in range(n):
        kept[0] = v
        v = u
        v = v + k * np.abs(v + 1j * (u + 2.0)) ** 2
        u = v
    return M * s + u


ARGS = (np.array([0.1, -0.05]), np.array([0.3, 0.2]), np.array([[0.4, 0.5]]), 0.3, 2)
WRT = ("u", "v", "A", "k")
SCALAR = False

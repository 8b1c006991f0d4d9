"""The rows of W are views: what is stored into them reads x_dot, and through it u_dot, which the caller keeps."""

import numpy as np


# s2s: u (3,), W (5, 3)
def f(u, x: float, W):
    u[0] = x * x
    W = W * 1.0
    for _ in range(3):
        x = np.tanh(x * np.sum(u**2))
    for row in W:
        row[0] = np.sin(x)
    return W


ARGS = (np.array([0.7, -0.2, 0.4]), 0.6, np.linspace(-1.0, 1.0, 15).reshape(5, 3))
SCALAR = False

"""The second pass over a loop took an adjoint for one that is zero where no branch was taken: the first had made it."""

import numpy as np


# s2s: u (5,), w (5,)
def f(y: float, u, w, b: float, n: int):
    acc3 = 2
    u = np.concatenate([u[:2], np.maximum(w, np.sqrt(1.0))[2:]])
    for el5 in u:
        w = w * np.tanh(acc3**2 + abs(b))
        b /= 2.0 + np.linalg.norm(w / (2.0 + u**2)) ** 2
    return (acc3 + np.sum(w) + acc3, u)


ARGS = (-0.85, np.array([1.2, -0.38, -1.15, -1.4, 0.27]), np.array([0.29, -1.3, 1.24, -1.06, 1.09]), -0.27, 0)
WRT = ("u", "b")
SCALAR = False

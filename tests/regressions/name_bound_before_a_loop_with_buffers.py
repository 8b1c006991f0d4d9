"""A name that a dead loop binds anew, before a loop that binds buffers. (A false alarm of the checker.)"""

import numpy as np


# s2s: v (3,), W (3, 3)
def f(v, b: float, W, n: int):
    s = b
    for _ in range(1, 2):
        b = np.tanh(b)
    v[1] *= s
    for _ in range(2):
        y = W
        for _ in range(n, -1, -1):
            y[0, :] -= 1
            y = np.stack([y @ np.ones(3), v * v, v])
    return np.sum(np.sin(W)) + np.sum(v)


ARGS = (np.array([0.9, 0.3, -1.4]), 0.4, np.arange(9.0).reshape(3, 3) / 7.0, 2)
WRT = ("v", "b", "W")

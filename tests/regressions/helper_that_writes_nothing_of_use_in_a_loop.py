"""What a loop computes again for a test in it has no reader, where the branches write what nobody reads."""

import numpy as np

ARGS = (0.3, np.array([0.4, -0.2, 0.9]), np.array([0.1, 0.7, 0.5]), np.array([[0.2, 0.4], [0.3, 0.6]]), 0.8)
WRT = ("y",)


def put(q, u, x):
    x = x
    d = u
    q[0] = x
    if 1.0 > x * 1.5:
        d[::-1] = u


# s2s: v (3,), u (3,), A (2, 2)
def f(y: float, v, u, A, b: float):
    w = A
    put(w[0], u, 0.5 - y)
    for _ in range(1, 2):
        put(v[2:], v + u, b)
    return np.mean(w)

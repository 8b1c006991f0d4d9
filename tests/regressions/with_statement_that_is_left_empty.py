"""What stands in a with statement is read by nobody, which is seen late: a with statement around nothing is no Python."""

import numpy as np


def f(v, A, x, y):
    rng = np.random.default_rng(0)
    for e in range(1, 1):
        if v[0] > 0.1:
            v[0] = 0.5 * v[0] - 0.3 * v[0]
        if x < y and x < (x * x):
            e_2 = lambda e_3: x
            break
        x = np.tanh(x + v[0] ** 2)
    with np.errstate(all="ignore"):
        hs4 = [v for t5 in range(4)]
        acc6 = x
        for u7 in reversed(hs4):
            acc6 = 0.6 * acc6 + np.sum(u7) * np.cos(acc6)
    v = v
    return x + np.sum(v) + np.sum(A) + y


ARGS = (np.array([-0.9, -0.5]), np.array([[-0.9, 0.5], [0.2, 0.3]]), 0.7, 0.9)
WRT = ("A", "x", "y")
SCALAR = True

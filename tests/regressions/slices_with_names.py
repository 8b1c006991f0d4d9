"""A slice with a name is the slice that it was made: names that it is made of are bound again."""

import numpy as np

HEAD = slice(0, 2)
TAIL = slice(2, None)


def f(x, K, n):
    m = 1
    body = slice(m, n)
    y = x * 1.0
    y[HEAD] *= y[TAIL]
    y[TAIL] += y[body] * 0.5
    m = 3
    for i in range(2):
        ii = slice(2 * i, 2 * i + 2)
        jj = slice(m - i, None)
        K[ii, ii] += y[jj][0] * K[1, 2]
        K[ii] *= 0.5
    return np.sum(K * K) + y @ y


WRT = ("x", "K")
ARGS = (np.array([0.7, -0.3, 1.1, 0.4]), np.linspace(-0.5, 1.0, 16).reshape(4, 4), 3)

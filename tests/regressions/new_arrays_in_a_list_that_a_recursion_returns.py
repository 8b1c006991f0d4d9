import numpy as np


def chain(u, v, n):
    if n == 0:
        return [u + 1.0]
    r = chain(v, u, n - 1)
    r.append(r[0] + 1.0)
    return r


def f(x, y):
    u = x * x
    v = x * y
    rows = chain(u, v, 2)
    rows[1][0] = rows[0][1] * rows[0][2]
    rows[0][2] = rows[1][1] * rows[2][2]
    return np.sum(rows[0] * rows[1] * rows[2]) + np.sum(u * v)


ARGS = (np.array([0.4, -0.3, 1.1]), np.array([0.2, 0.5, -0.7]))

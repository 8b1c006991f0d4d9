import numpy as np


# s2s: v (2,), u (2,)
def f(v, u):
    def inner(c):
        k = v > c
        u[k] = c
        return c

    p = inner(0.2)
    q = inner(p)
    return q + np.sum(u * u * v)


ARGS = (np.array([0.3, 0.1]), np.array([0.5, 0.7]))

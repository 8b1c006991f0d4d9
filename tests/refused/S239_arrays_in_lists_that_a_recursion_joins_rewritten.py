import numpy as np


def total(u, v, n):
    a = [1.0 * u]
    b = [1.0 * v]
    both = a + b
    both[-1][0] = both[0][1] * both[0][2]
    if n > 0:
        return total(u, v, n - 1) * both[0][0]
    return np.sum(both[0] * both[1])


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    u = x * x
    v = y * x
    return total(u, v, n) + u @ v


# s2s verify S239_arrays_in_lists_that_a_recursion_joins_rewritten.py::loss --at "x=np.array([0.3, 0.5, 0.9]), y=np.array([0.2, 0.4, 0.7]), n=2"

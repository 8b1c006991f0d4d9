import numpy as np


def total(xs, ys, n):
    both = [1.0 * v for v in xs] + [1.0 * v for v in ys]
    both[0][0] = both[1][1] * both[1][2]
    if n > 0:
        return total(ys, xs, n - 1) * both[0][0]
    return np.sum(both[0] * both[1])


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    a = [x * x, x * y]
    b = [y * x, y + 1.0]
    return total(a, b, n) + a[0] @ b[0]


# s2s verify S239_recursion_that_writes_into_joined_lists_rewritten.py::loss --at "x=np.array([0.3, 0.5, 0.9]), y=np.array([0.2, 0.4, 0.7]), n=2"

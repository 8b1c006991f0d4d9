"""`a, b = map(f, (x, y))` was refused: `map` had no rule."""

import numpy as np


# s2s: u (n,), v (n,)
def f(u, v, x):
    a, b = map(np.sin, (u, v))
    c, d = map(lambda q: q * x, (a, b))
    e, g = tuple(map(np.add, (c, d), (v, u)))
    e = e * x
    return e * g


ARGS = (np.array([0.4, 1.1, 0.7]), np.array([0.9, 0.3, 1.2]), 0.8)
SCALAR = False

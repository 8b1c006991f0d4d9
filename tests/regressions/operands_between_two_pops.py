"""`mix(L.pop(), L[-1]) * mix(L.pop(), L[-1])`: the first `L[-1]` is read before the second pop, and so is the object whose
method gets an item, `np.array(L).clip(L.pop(), 5.0)`."""

import numpy as np


def mix(a, b):
    return a * b + a


def f(x, y):
    L = [x, y, x * y, x + y, 1.0 + x, y * y, 2.0 + x * y]
    s = mix(L.pop(), L[-1]) * mix(L.pop(), L[-1]) + mix(L.pop(), L[-1])
    s = s + sum([sum(L), mix(L.pop(), L[-1]), sum(L)])
    return s * np.sum(np.array(L).clip(L.pop() - 3.0, 5.0))


ARGS = (0.7, 1.3)
WRT = ("x", "y")
SCALAR = True

"""That `v[0]` is a number says that `A @ x` is a vector: A was taken for one, and its cotangent was of another shape."""

import numpy as np


def f(a, A):
    A[0] = a
    v = A @ np.arange(3)
    if v[0] <= 2:
        v = v * np.sin(v)
    return (v,)


ARGS = (0.5, np.linspace(0.2, 1.0, 9).reshape(3, 3))
SCALAR = False

"""A method of arrays, called on a second name, does not make the first an object with the attribute T."""

import numpy as np


# s2s: w (3,), M (2, 3)
def f(b: float, w, M):
    y = M
    y.fill(b)
    v = y.T
    y[0] *= w
    return np.sum(v[1] * w[:2] * v[2])


ARGS = (0.7, np.array([0.4, -1.3, 0.9]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))

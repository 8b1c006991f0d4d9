"""A tuple of arrays is added to items of a list, and its arrays are asked for their shapes: it is no array."""

import numpy as np


# s2s: v (n,)
def f(v, w):
    n = np.shape(w[0])[0]
    b = [v * 1.0, v * 2.0]
    b[0] = b[0] + w[0]
    b[1] = b[1] + w[1]
    b[1][n - 1] = 0.0
    return np.sum(b[0] * b[1])


ARGS = (np.array([0.7, 1.3, -0.4]), (np.array([0.3, -0.2, 0.5]), np.array([0.4, 0.6, -0.1])))

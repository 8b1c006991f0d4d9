"""Found by random programs: the tangent of a helper left out a parameter that it binds anew, and the call did not."""

import numpy as np


def helper(x, y, q):
    q[2] = 2.0
    x = np.concatenate([q if 0.1 <= 0.3 else x])


def f(v, y, w):
    w = w * 1.0
    helper(v, y, w)
    return np.sum(w * v * y)


ARGS = (np.array([0.7, -1.2, 0.4]), np.array([0.2, 1.2, 0.4]), np.array([0.7, 0.3, -0.4]))

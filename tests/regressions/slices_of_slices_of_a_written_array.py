"""Each part's cotangent goes to its own place, though both parts are of one length."""

import numpy as np


# s2s: v (5,)
def f(v):
    v[1:-1] = 2 * v[1:-1]
    w = np.concatenate([v[1:3][:1], v[:2][1:]]) ** 2
    return np.sum(w) + np.sum(v[1:][:2] * v[:-1][2:])


ARGS = (np.array([0.7, 0.4, 1.3, -0.2, 0.9]),)

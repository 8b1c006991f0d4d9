"""np.add.at wrote into an adjoint that was taken for a copy which is only read: what reads the old one came too late."""

import numpy as np


# s2s: u (5,), w (5,)
def f(u, w, m):
    v = w * 0.5
    v = v + np.sum(v[m]) * u
    w = v - np.sum(v[[0, 0, 2]]) * w
    return np.sum(v * w)


ARGS = (np.array([0.4, 0.3, -0.2, 0.8, 0.5]), np.array([0.1, 0.7, -0.5, 0.6, 0.9]), np.array([1, 4, 4, 1]))
WRT = ("u", "w")

"""The reverse of a helper gave no cotangent of an entry that only a list holds which nobody reads: a KeyError."""

import numpy as np


def law(v, params):
    ls = [1.0, v]
    ls[1] = params["scale"]
    return np.sum(params["shift"]) * v


def f(u, params):
    q = law(u, params)
    return np.sum(q * u)


ARGS = (np.array([0.4, 0.3, -0.2]), {"scale": 0.7, "shift": np.array([0.5, -0.3])})

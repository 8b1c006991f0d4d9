"""The adjoint of g[-1] is taken before g grows."""

import numpy as np


# s2s: v (2,)
def f(v, a: float):
    p = v[:1]
    p[...] *= p
    g = [v]
    for t in range(2):
        g.append(g[-1] * (p if p > a else p))
    return np.sum(g[-1] * v)


ARGS = (np.array([0.7, -0.8]), 0.3)
WRT = ("v",)

import numpy as np


def _damp(q, u):
    q[...] *= u


def f(x: float, u: float):
    q = np.where(u > 0.0, x, 2.0 * x)
    _damp(q, u)
    return q * x

import numpy as np


def _damp(q, u):
    return q * u


def f(x: float, u: float):
    q = np.where(u > 0.0, x, 2.0 * x)
    q = _damp(q, u)
    return q * x


# s2s verify S230_rank_zero_that_a_helper_writes_rewritten.py::f --at "x=0.7, u=0.8"

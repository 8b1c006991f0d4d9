from fractions import Fraction

import numpy as np


def _energy(u, scale):
    total = 0.0
    for _ in range(2):
        total = total + np.sum(u**2) * scale
    return total


def loss(u, ratio):
    scale = float(ratio.limit_denominator(10))
    return _energy(u, scale) + _energy(2.0 * u, scale)


# s2s verify S202_unknown_method_rewritten.py::loss --wrt u --at "u=np.array([0.3, 0.7]), ratio=Fraction(3, 7)"

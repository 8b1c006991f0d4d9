import numpy as np


def _energy(u, ratio):
    total = 0.0
    for _ in range(2):
        total = total + np.sum(u**2) * float(ratio.limit_denominator(10))
    return total


def loss(u, ratio):
    return _energy(u, ratio) + _energy(2.0 * u, ratio)

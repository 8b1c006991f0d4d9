"""Items of a list that a helper is given were taken to have one shape: the cotangent of the number was not summed."""

import numpy as np


def pick(pair, k):
    return pair[0] * pair[1] + k


def step(pair, k):
    return [pair[0] * pair[1], pair[1] * k]


# s2s: a (3,), b (), k ()
def f(a, b, k):
    pair = step([a, b], k)
    other = step(pair, k)
    for _ in range(2):
        pair = step(pair, k)
    r = pick([a, b], k) + pick([b, a], k) * pick([b, k], k)
    return np.sum(r * pair[0]) + np.sum(other[0]) * other[1]


ARGS = (np.array([0.6, 0.3, 0.8]), 0.5, 0.7)

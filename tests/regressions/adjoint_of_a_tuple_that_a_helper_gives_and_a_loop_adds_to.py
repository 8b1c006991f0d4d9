"""`s_bar = _norm_rev(s, k)` is a tuple: a TypeError where a loop adds to an item of it."""

import numpy as np


def step(s, k):
    new = s[0] * k + s[1] * s[2]
    return new, s[1] * new, s[2] + k * new[0]


def norm(s):
    return np.sum(s[0] ** 2) * s[2] + np.sum(s[1])


# s2s: a (3,), b (3,), k ()
def f(a, b, k):
    s = step((a, b, k), k)
    for i in range(3):
        if i == 1:
            continue
        k = s[2] * 0.5
    return norm(s) * k


ARGS = (np.array([0.26, 0.37, 0.76]), np.array([0.61, 0.27, 0.5]), 0.7)

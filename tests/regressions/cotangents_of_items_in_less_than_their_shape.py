"""What is added to the cotangent of an array in a list may be a number, and no comprehension stands for the sum."""

import numpy as np


# s2s: x (n,), w ()
def f(x, w):
    ps = []
    for i in range(3):
        ps.append(x + w * i)
    s = 0.0
    for p in ps:
        s = s + p.sum() ** 2
    for p in np.split(x, 2):
        s = s + np.mean(p) ** 2
    for p in [x, 2 * x]:
        s = s + p.sum() ** 2
    return s


ARGS = (np.array([0.7, 0.4, 1.3, -0.2]), 0.6)

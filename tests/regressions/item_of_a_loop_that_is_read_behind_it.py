"""A loop that only searches is needed for the item at which it stops."""

import numpy as np


def f(x, xs, ys):
    i = 0
    for i in range(len(xs) - 1):
        if xs[i + 1] > x:
            break
    t = (x - xs[i]) / (xs[i + 1] - xs[i])
    for y in ys:
        pass
    for k, (a, b) in enumerate(zip(xs, ys)):
        if a > x:
            break
    return ys[i] + t * (ys[i + 1] - ys[i]) + y * y + b * a * k


ARGS = (0.7, np.array([0.1, 0.5, 0.9, 1.2]), np.array([0.3, 0.8, -0.4, 1.1]))

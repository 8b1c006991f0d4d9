# Each round of a loop over an iterator takes one item more than the loop itself.
import numpy as np

ANGLES = (0.3, 1.2, 0.4, 0.9)


def f(x):
    angles = iter(ANGLES)
    for a in angles:
        x = x * np.cos(a) + np.sin(next(angles))
    return x

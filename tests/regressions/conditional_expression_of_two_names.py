"""Which name it was is decided again in the reverse sweep."""

import numpy as np


def f(x, y):
    for k in range(3):
        t = x if x * y > 0.4 else y
        x = x + 0.1 * t * y
        y = y * np.cos(t)
    return x * y


ARGS = (0.7, 1.1)

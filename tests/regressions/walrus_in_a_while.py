"""The test binds a name that the body reads."""

import numpy as np


def f(x):
    s = 0.0
    while (r := x * x - 2.0 * s) > 0.5:
        s = s + 0.2 * r
    return s * x + r


ARGS = (2.3,)

"""The adjoints of the items of a list are the seed itself: what is added to one of them is no part of the others."""

import numpy as np

ARGS = (0.4, -0.7)


# s2s: x (), y ()
def f(x, y):
    s = x
    items = [x, y]
    return s + np.sin(y) + sum(items)

"""A tangent of a choice between numbers is a number: `[()]` of it raised."""

import numpy as np


def h(u, q):
    return q * u * u, 2.0 * u


# s2s: v (4,)
def f(v):
    y = 0.3
    for k in range(len(v)):
        e = v[k]
        c = np.where(e > y, y, e)[()]
        y = h(c, 0.8)[0] + y
    return y


ARGS = (np.array([0.7, 1.3, -0.4, 0.9]),)

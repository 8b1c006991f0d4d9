"""An array that is made in the call of a helper, as a view of what is computed there: it gets a name."""

import numpy as np


def f(w):
    def scaled(p, x):
        p *= x
        return np.sum(p)

    return scaled(np.linspace(0.3, 1.1, 4).reshape(4), np.sum(w))


ARGS = (np.array([0.3, 0.8]),)

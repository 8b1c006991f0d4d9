"""`w[0], w[None]`: the keys of the contributions were sorted, and None is no number."""

import numpy as np


# s2s: w (1,)
def f(w):
    return w[0], w[None]


ARGS = (np.array([0.7]),)
WRT = ("w",)
SCALAR = False

"""A factor of the new elements, 1 - v[1]**2, beside a name that is made of the old ones: only the factor goes in front."""

import numpy as np


# s2s: v (3,)
def f(v):
    v[1] = np.tanh(np.max(v))
    return v


ARGS = (np.array([0.9, 0.3, -1.4]),)
SCALAR = False

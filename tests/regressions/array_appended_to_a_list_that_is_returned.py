"""The cotangent of an item is the caller's array: what came to `u_bar` behind it was added into that."""

import numpy as np


# s2s: u (n,)
def f(u):
    states = [u]
    states.append(u)
    return states


ARGS = (np.array([0.4, 1.1, 0.7]),)
SCALAR = False

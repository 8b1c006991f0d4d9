"""A list sees an array only after a store through the list. (A false alarm of the checker.)"""

import numpy as np


# s2s: W (5, 3), u (3,), v (3,)
def f(W, u, a: float, v, n: int):
    np.tanh(v, out=v)
    num_bar = [u]
    num_bar[0][2:] = u[1:2]
    num_bar[0] = v
    return np.sum(v)


ARGS = (np.ones((5, 3)), np.array([0.9, 0.3, -1.4]), 0.3, np.array([0.4, 0.8, 0.2]), 2)
WRT = ("v",)

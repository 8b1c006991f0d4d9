"""A loop over constants binds a name that held a value: in forward mode it kept the tangent of that value."""

import numpy as np


# s2s: u (3,), v (3,)
def f(u, v):
    w = u * u
    x = np.sin(w @ w)
    for x, q in zip(v, w):
        pass
    return np.sum([q * x for q in w])


ARGS = (np.array([-0.97, 1.01, 0.54]), np.array([-0.17, -0.63, 0.03]))
WRT = ("u",)

"""M = M[0] of a parameter, written afterwards: the search for what M is bound to did not end."""

import numpy as np


# s2s: M (2, 3), a ()
def f(M, a):
    M = M[0]
    M[0] = a * M[1]
    return np.sum(M * M)


ARGS = (np.array([[0.6, 0.3, 0.8], [0.1, -0.4, 0.7]]), 0.3)
WRT = ("M", "a")
SCALAR = True

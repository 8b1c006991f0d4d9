"""What stands in `np.c_[...]` is an operand like those of a call: the checker found an expression there."""

import numpy as np


# s2s: u (n,), v (n,)
def f(u, v):
    B = np.c_[u, u + v, np.sin(v)[::-1]].T
    return B @ u


ARGS = (np.array([0.4, 1.1, 0.7]), np.array([0.9, 0.3, 1.2]))
SCALAR = False

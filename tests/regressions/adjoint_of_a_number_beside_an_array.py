"""`t = [y + x, v]`: the adjoint of the number in the list is an array of rank 0, and what two variables get of it is not
updated in place for one of them: `y_bar` had what was added to `x_bar`."""

import numpy as np


# s2s: v (3,), x ()
def f(x, v):
    y = x * 1.5
    s = x * x
    t = [y + x, v]
    for i in range(2):
        s = s + np.sum(t[i]) * s
    return s


ARGS = (0.7, np.array([1.1, -0.7, 0.9]))
WRT = ("x", "v")
SCALAR = True

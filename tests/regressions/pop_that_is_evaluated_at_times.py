"""`y = L.pop() if x > 1.0 else x`: the list was one shorter on the other path, too."""

import numpy as np


def f(x):
    L = [x, x * x, 0.3]
    y = L.pop() if x > 1.0 else x
    return y * x * np.sin(L.pop())


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

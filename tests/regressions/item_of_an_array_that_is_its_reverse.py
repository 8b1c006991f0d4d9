"""np.ravel of a reversed array is a copy: what its item got, `y_bar.ravel()[2] += ...`, was lost."""

import numpy as np


# s2s: x (6,)
def f(x, n: int):
    y = x * 0.9 + 0.05
    s = x[0] * 0.5
    if n > 1:
        y = y[::-1]
        y[1] = s
    s = s * y.item(2) + np.ravel(y)[1] ** 2 + y.ravel()[3]
    return s + np.sum(y * np.arange(1.0, 7.0))


ARGS = (np.array([0.9, 0.3, -1.4, 0.6, 0.2, 1.1]), 2)
WRT = ("x",)

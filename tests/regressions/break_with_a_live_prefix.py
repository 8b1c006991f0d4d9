"""What ran before the break in its iteration is read afterwards."""

import numpy as np


def f(x, v):
    s = x
    p = 1.0
    for i in range(len(v)):
        p = s * v[i]
        s = s + p * p
        if s > 3.0:
            s = s * p
            break
        s = s * x
    return s * p


ARGS = (1.1, np.array([0.7, 0.9, 0.4, 1.6, -0.3, 0.5]))

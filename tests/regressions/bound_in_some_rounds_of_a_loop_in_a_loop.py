"""`v` is bound in some rounds of the inner loop only, and not before both: what it was in the round before of the outer
one is its value where no test holds."""

import numpy as np


def f(x, y):
    best = -1.0
    for i in range(len(x)):
        for j in range(len(y)):
            t = x[i] * y[j]
            if t > best:
                best = t
                v = t * x[0]
    return best * v


ARGS = (np.array([0.9, 0.4]), np.array([0.3, 0.7]))

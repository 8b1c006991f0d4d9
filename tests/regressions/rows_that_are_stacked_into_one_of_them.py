"""A list of arrays is read as one array, and written into an array that lies in it: each item gets its row back."""

import numpy as np

ARGS = (np.array([-0.18, -0.07, 0.89]), 0.4)


# s2s: v (3,), x ()
def f(v, x):
    w = v
    rows = [v]
    w[0] *= x
    w[:] = np.sin(np.vstack(rows))[0] * w
    return w[0] * w[1] + w[2]

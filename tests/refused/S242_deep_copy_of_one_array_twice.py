import copy

import numpy as np


# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    rows = [v, v]
    other = copy.deepcopy(rows)
    other[0][1] *= k
    return np.sum(other[0] * other[1])

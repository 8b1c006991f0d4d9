import numpy as np


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    parts = [{0: u, 1: 2.0 * u}, u]
    parts[0][0] = v
    parts[0][0] += k * u
    return np.sum(v * v)

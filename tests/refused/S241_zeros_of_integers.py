import numpy as np


def powers(x, n: int):
    out = np.zeros(n, dtype=int)
    for k in range(n):
        out[k] = x**k
    return np.sum(out)

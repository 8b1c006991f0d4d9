import numpy as np


def energy(x, n: int):
    dtype = int if n > 2 else float
    y = np.array(x, dtype=dtype)
    return np.sum(y * y)

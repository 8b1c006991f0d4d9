import numpy as np


def decayed(x: float, rate: float, n: int):
    total = np.array(x)
    for k in range(n):
        total[...] *= rate
    return total * x

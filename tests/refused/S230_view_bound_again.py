import numpy as np


def accumulate(x, y, n: int):
    total = np.zeros(3)
    part = total
    for _ in range(n):
        part += y
        part = part + x
    return total

import numpy as np


# s2s: x (n, 2)
def pairs(x):
    rows = []
    for r in x:
        rows.append((*r,))
    x *= 2.0
    return sum(a * b for a, b in rows) + np.sum(x)

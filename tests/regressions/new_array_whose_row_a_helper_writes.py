import numpy as np


def doubled(u):
    row = u[1]
    row += row
    return np.sum(row)


# s2s: v (2,)
def f(v, b: float):
    total = doubled(np.full((2, 3), 0.3))
    if total <= b:
        z = v * b
    else:
        z = v
    return np.sum(z**2)


ARGS = (np.array([0.3, -0.8]), 2.1)

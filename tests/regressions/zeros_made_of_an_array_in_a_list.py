import numpy as np


def f(v):
    ls = [v * (1.3 - 1.3), v]
    ls[0][1] = 1.3
    rows = [v]
    for _ in range(2):
        rows.append(v * 0.0)
    return (ls[0] + ls[1]), rows


ARGS = (np.array([1.2, 0.7, 0.8]),)
SCALAR = False

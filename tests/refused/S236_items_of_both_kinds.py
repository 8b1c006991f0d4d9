import numpy as np


def f(x):
    parts = [x[0] * x[1], [x[1] * x[2], x[2]]]
    total = 0.0
    for k in range(2):
        total = total + np.sum(parts[k]) * x[0]
    return total

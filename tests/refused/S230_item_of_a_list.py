import numpy as np


def bins(x, n: int):
    start = 0.0 * x
    counts = [start, start, start]
    for k in range(n):
        counts[k % 3] += x**k
    return np.sum(counts[0] * counts[1])

import numpy as np


def sums(x, bins, n):
    rows = [[1.0] for _ in range(n)]
    for i in range(len(x)):
        row = rows[bins[i]]
        row.append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)

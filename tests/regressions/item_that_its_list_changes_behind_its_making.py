import numpy as np


def f(x):
    y = x * x
    rows = [x * 1.0]
    rows.append(np.exp(-y))
    rows[-1][0] *= 2.0
    b = np.exp(-y) * x
    table = []
    for _ in range(2):
        row = []
        row.append(np.sqrt(y))
        table.append(row)
    table[0][0][1] *= b[0]
    return np.sum(b * rows[1] * rows[0] * table[0][0] * table[1][0])


ARGS = (np.array([0.4, -0.3, 0.7]),)

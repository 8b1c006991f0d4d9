import numpy as np


def f(x):
    y = x * x + 0.1
    first = []
    second = []
    table = []
    for k in range(3):
        first.append(np.exp(-y * k))
        second.append(first[k // 2])
        second[k][0] *= x[k]
        row = []
        row.append(np.sqrt(y))
        row.append(np.sqrt(y * (k + 1.0)))
        table.append(row)
        table[k][1][k] *= 0.5 * x[0]
        table[0][0] *= 1.1 * x[1]
    return np.sum(first[0] * second[0] * second[2] * table[0][0] * table[1][1] * table[2][1])


ARGS = (np.array([0.4, -0.3, 0.7]),)

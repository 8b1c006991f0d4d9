import numpy as np


def f(x):
    rows = [x * 1.0, x * x]
    rows[0][0] *= 2.0
    rows.append(rows[1] * 0.5)
    rows.append(rows[len(rows) // 2])
    rows[3][1] *= 2.0
    parts = [x * 1.0]
    for _ in range(2):
        parts.append(np.exp(-parts[-1][1:]))
        parts[-1][0] *= 0.5
        parts[0] = parts[0][:-1] * x[0]
    s = np.sum(rows[1] * rows[2] * rows[3])
    for a in parts:
        s += np.sum(a * a)
    return s


ARGS = (np.array([0.4, -0.3, 0.7, 0.9]),)

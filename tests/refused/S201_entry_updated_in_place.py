import numpy as np


def loss(rows, x: float):
    total = 0.0
    for row in rows:
        row["a"] *= x
        total += np.sum(row["a"] ** 2) * row["b"]
    return total

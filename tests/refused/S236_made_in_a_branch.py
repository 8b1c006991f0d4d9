import numpy as np


def total(x: float, n: int):
    s = 0.0
    if n > 0:
        parts = []
        for j in range(2):
            parts.append(x * (n + j))
    if n >= 1:
        for j in range(2):
            s += np.sin(parts[j])
    return s

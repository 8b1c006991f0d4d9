import numpy as np


def loss(v, x: float):
    parts = {0: v * 1.0, 1: x}

    def mean(t):
        return np.mean([np.mean(part) * t for part in parts.values()])

    parts[0][1] = x * x
    return np.sum(parts[0] ** 2) + mean(x)

import numpy as np


def loss(v, x: float):
    parts = {"a": v * 1.0, "s": x * v}

    def mean(t):
        return np.mean([np.mean(part) * t for part in parts.values()])

    parts["a"] *= x
    return np.sum(parts["a"] ** 2) + mean(x)

import numpy as np


def loss(v, x: float):
    parts = {"a": v * 1.0, "s": x}

    def mean(t):
        return np.mean([np.mean(part) * t for part in parts.values()])

    parts["a"][1] = x * x
    return np.sum(parts["a"] ** 2) + mean(x)

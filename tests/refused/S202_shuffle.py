import numpy as np


def first_half(x, seed: int):
    rng = np.random.default_rng(seed)
    y = x**2
    rng.shuffle(y)
    return np.sum(y[:2])

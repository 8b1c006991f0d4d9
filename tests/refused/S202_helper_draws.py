import numpy as np


def _jitter(x, rng):
    return x * (1.0 + 0.1 * rng.normal())


def loss(x, seed: int):
    rng = np.random.default_rng(seed)
    return _jitter(x, rng) ** 2

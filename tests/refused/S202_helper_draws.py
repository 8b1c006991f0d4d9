import numpy as np


def _jitter(x, rng, n):
    if n == 0:
        return x
    return _jitter(x * (1.0 + 0.1 * rng.standard_normal()), rng, n - 1)


def loss(x, seed: int):
    rng = np.random.default_rng(seed)
    return _jitter(x, rng, 3) ** 2

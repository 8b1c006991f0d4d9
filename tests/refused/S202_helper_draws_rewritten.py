import numpy as np


def _jitter(x, rng, n):
    for _ in range(n):
        x = x * (1.0 + 0.1 * rng.standard_normal())
    return x


def loss(x, seed: int):
    rng = np.random.default_rng(seed)
    return _jitter(x, rng, 3) ** 2


# s2s verify S202_helper_draws_rewritten.py::loss --at "x=0.7, seed=3"

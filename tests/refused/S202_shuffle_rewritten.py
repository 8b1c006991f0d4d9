import numpy as np


def first_half(x, seed: int):
    rng = np.random.default_rng(seed)
    y = x**2
    order = rng.permutation(len(y))
    y = y[order]
    return np.sum(y[:2])


# s2s verify S202_shuffle_rewritten.py::first_half --at "x=np.array([0.3, 0.8, 1.1, 0.4]), seed=3"

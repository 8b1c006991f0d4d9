import numpy as np


def f(mu, sigma, n, seed):
    rng = np.random.default_rng(seed)
    x = mu + sigma * rng.standard_normal(n)
    return np.mean(np.exp(-x))

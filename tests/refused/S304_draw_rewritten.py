import numpy as np


# s2s: wrt=mu,sigma
def f(mu, sigma, n, seed):
    rng = np.random.default_rng(seed)
    x = mu + sigma * rng.standard_normal(n)
    return np.mean(np.exp(-x))


# s2s verify S304_draw_rewritten.py::f --at "mu=0.2, sigma=0.5, n=4, seed=3"

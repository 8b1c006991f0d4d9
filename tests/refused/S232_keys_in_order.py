import numpy as np


def slopes(p, x):
    r = p["w"] * x + p["b"]
    return {2: np.sum(r * x), 1: np.sum(r)}


def f(p, x):
    total = 0.0
    g = slopes(p, x)
    for k in g:
        total += g[k] ** k
    return total

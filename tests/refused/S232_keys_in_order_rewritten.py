import numpy as np


def slopes(p, x):
    r = p["w"] * x + p["b"]
    return {2: np.sum(r * x), 1: np.sum(r)}


def f(p, x):
    total = 0.0
    g = slopes(p, x)
    for k in (2, 1):
        total += g[k] ** k
    return total


# s2s verify S232_keys_in_order_rewritten.py::f --at "p={'w': 0.3, 'b': 0.4}, x=0.7"

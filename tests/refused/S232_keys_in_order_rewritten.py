import numpy as np


def slopes(p, x):
    r = p["w"] * x + p["b"]
    return {"w": np.sum(r * x), "b": np.sum(r)}


def f(p, x):
    g = slopes(p, x)
    return g["w"] ** 2 * g["b"]


# s2s verify S232_keys_in_order_rewritten.py::f --at "p={'w': 0.3, 'b': 0.4}, x=0.7"

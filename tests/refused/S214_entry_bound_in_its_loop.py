import numpy as np


def f(x, y):
    g = {"a": x, "b": x * 2.0}
    for k, v in g.items():
        g["b"] = y
        if k == "b":
            break
    return np.sum(v**2)

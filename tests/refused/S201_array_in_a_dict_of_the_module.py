import numpy as np

TABLE = {"a": np.ones(2), "b": np.zeros(2)}


def energy(x, y):
    w = TABLE.get("b")
    w[0] = x
    return TABLE["b"][0] * y + x

import numpy as np


def weighted(x, counts):
    table = np.zeros(3, dtype=[("value", float), ("count", int)])
    table["value"] = x**2
    table["count"] = counts
    return np.sum(table["value"] * table["count"])

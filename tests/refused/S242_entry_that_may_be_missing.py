import numpy as np


def loss(params, x):
    a = params.get("a", 2.0 * x)
    a[0] = x[0] * x[1]
    return np.sum(a**2)

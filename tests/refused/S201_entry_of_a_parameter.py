import numpy as np


def loss(params, x):
    b = params["b"]
    b[0] = 0.0
    return np.sum((params["W"] * x + b) ** 2)

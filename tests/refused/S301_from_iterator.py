import numpy as np


def squares(x, n: int):
    return np.sum(np.fromiter((v * v for v in x), float, count=n) * x[:n])

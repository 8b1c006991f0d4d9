import numpy as np


def squared(x: float, scale: float):
    z = np.array(x)
    z *= scale
    y = z
    y *= x
    return z * x

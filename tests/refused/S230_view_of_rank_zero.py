import numpy as np


def squared(x: float, scale: float):
    total = np.zeros(())
    flat = total.reshape(1)
    flat[0] = scale * x
    return total * x

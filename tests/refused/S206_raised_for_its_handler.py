import numpy as np


def work(x, k):
    try:
        if k < 0.0:
            raise ValueError("no spring")
        energy = k * np.sum(x**2)
    except ValueError:
        energy = np.sum(x)
    return energy

# s2s: u (n,)
import numpy as np


def total(u):
    return np.sum(u * u)

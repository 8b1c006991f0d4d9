import numpy as np


def area(u, v):
    return np.sum(np.cross(u, v, axisa=0))

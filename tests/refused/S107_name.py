import numpy as np


def area(r):
    return scale * np.pi * r**2

import numpy as np


def misfit(x, path):
    with open(path) as file:
        data = np.loadtxt(file)
    return np.sum((x - data) ** 2)

import numpy as np

DATA = np.load("data.npy")


def misfit(x):
    return np.sum((x - DATA) ** 2)

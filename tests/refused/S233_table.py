import numpy as np


def volume(x, n: int):
    planes = []
    for i in range(n):
        planes.append([[x * i, x], [x + i, x**2]])
    return np.sum(np.array(planes) ** 2)

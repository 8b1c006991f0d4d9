import numpy as np


# s2s: x (m,)
def size(x, n: int):
    layers = []
    for k in range(n):
        layers.append(x**k)
    return np.sum(np.dstack(layers) ** 2)

import numpy as np


# s2s: x (m,)
def size(x, n: int):
    layers = []
    for k in range(n):
        layers.append(x**k)
    return np.sum(np.array(layers).T[np.newaxis] ** 2)


# s2s verify S303_list_rewritten.py::size --at "x=np.array([0.7, 0.4]), n=4"

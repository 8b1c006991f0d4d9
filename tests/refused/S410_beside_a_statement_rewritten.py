import numpy as np


def loss(w):
    scale = np.max(w)
    return np.sum((w / scale) ** 2)


# s2s verify S410_beside_a_statement_rewritten.py::loss --at "w=np.array([0.3, 0.8])"

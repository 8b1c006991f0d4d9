import numpy as np


def size(x, n: int):
    terms = []
    for k in range(n):
        terms.append(x**k)
    return np.linalg.norm(terms)

import numpy as np


def size(x, n: int):
    terms = []
    for k in range(n):
        terms.append(x**k)
    return np.linalg.norm(np.array(terms))


# s2s verify S303_list_rewritten.py::size --at "x=0.7, n=4"

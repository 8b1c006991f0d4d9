import numpy as np


def accumulate(x, y, n: int):
    total = np.zeros(3)
    if n > 0:
        total += y
    return total


# s2s verify S230_view_bound_again_rewritten.py::accumulate --at "x=0.7, y=np.array([0.2, 0.5, 1.1]), n=3"

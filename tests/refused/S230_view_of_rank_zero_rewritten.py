import numpy as np


def squared(x: float, scale: float):
    total = np.zeros(1)
    flat = total.reshape(1)
    flat[0] = scale * x
    return total[0] * x


# s2s verify S230_view_of_rank_zero_rewritten.py::squared --at "x=0.7, scale=0.8"

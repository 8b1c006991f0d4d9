import numpy as np


def squared(x: float, scale: float):
    z = np.array(x)
    z = z * scale
    y = z * x
    return y * x


# s2s verify S230_second_name_of_rank_zero_rewritten.py::squared --at "x=0.7, scale=0.8"

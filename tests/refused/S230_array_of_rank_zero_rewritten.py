import numpy as np


def decayed(x: float, rate: float, n: int):
    total = np.array(x)
    for k in range(n):
        total = total * rate
    return total * x


# s2s verify S230_array_of_rank_zero_rewritten.py::decayed --at "x=0.7, rate=0.8, n=3"

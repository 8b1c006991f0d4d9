import numpy as np


def doubled(x, n: int):
    u = x * x if n > 5 else np.array([x[0], 2.0 * x[1]])
    w = u + u
    return w[0] * w[-1]


# s2s verify S236_list_or_array_added_rewritten.py::doubled --at "x=np.array([0.3, 1.2]), n=3"

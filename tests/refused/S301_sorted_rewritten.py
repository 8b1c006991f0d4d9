import numpy as np


def spread(x, y, z):
    values = np.sort(np.array([x, y, z]))
    return values[-1] - values[0] ** 2


# s2s verify S301_sorted_rewritten.py::spread --at "x=0.7, y=0.2, z=1.3"

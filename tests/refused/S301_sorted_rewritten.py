import numpy as np


def spread(x, y, z):
    ordered = np.sort(np.array([x, y, z]))
    return ordered[-1] - ordered[0] ** 2


# s2s verify S301_sorted_rewritten.py::spread --at "x=0.7, y=0.2, z=1.3"

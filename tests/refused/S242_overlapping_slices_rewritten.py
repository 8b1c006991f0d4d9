import numpy as np


def spread(x):
    p = x.copy()
    p[::2] = p[:3].copy()
    return np.sum(p**2)


# s2s verify S242_overlapping_slices_rewritten.py::spread --at "x=np.linspace(0.3, 1.1, 6)"

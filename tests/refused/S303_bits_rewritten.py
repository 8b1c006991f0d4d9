"""The inverse square root as arithmetic."""

import numpy as np


def normalise(v):
    y = 1.0 / np.sqrt(np.sum(v**2))
    return np.sum(v**3) * y


# s2s verify S303_bits_rewritten.py::normalise --at "v=np.array([0.3, 0.5, 0.7])"

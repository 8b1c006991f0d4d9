"""The inverse square root by the bits of a number."""

import numpy as np


def normalise(v):
    bits = np.sum(v**2).view(np.int64)
    y = (0x5FE6EB50C7B537A9 - (bits >> 1)).view(np.float64)
    return np.sum(v**3) * y

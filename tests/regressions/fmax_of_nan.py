"""Of a number and nan, np.fmax gives the number, whose derivative was nan."""

import numpy as np


def f(x, w):
    gaps = np.array([np.nan, 0.5, np.nan])
    return np.sum(np.fmax(x, gaps) * w) + np.sum(np.fmin(gaps, x) ** 2)


ARGS = (np.array([0.7, -1.2, 0.4]), np.array([0.2, 1.2, 0.4]))

"""The primal has the names that a derivative would like to use."""

import numpy as np


def f(x, x_saved):
    x_bar = x * x_saved
    for k in range(3):
        x = np.sin(x) * x_bar
        x_bar = x_bar + x * x_saved
    num_bar = x / (1.0 + x_bar**2)
    out_bar = num_bar * x
    return out_bar + x_bar


ARGS = (0.7, 1.2)

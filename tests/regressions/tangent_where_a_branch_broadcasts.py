"""In a branch the variable takes more axes; its tangent kept those that it had before."""

import numpy as np


def f(x, z):
    if np.sum(z) > 0.3:
        pass
    else:
        z = z - np.sqrt(1.0 + x**2)
    return np.sum(z * z) + np.sum(z)


ARGS = (np.linspace(0.1, 0.9, 6).reshape(2, 3), np.array([-0.4, 0.2, -0.7]))

import numpy as np


def spectrum(x):
    u = 2.0 * x
    return u, (u[1:], 3.0)


# s2s: x (n,)
def f(x):
    u, (tail, scale) = spectrum(x)
    u[2] *= 3.0
    return u @ x + scale * np.sum(tail**2)

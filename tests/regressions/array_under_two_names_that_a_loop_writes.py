import numpy as np


# s2s: w (2,)
def f(x: float, w):
    c = w * 1.0
    c[1] /= x
    v = w.copy()
    u = v * 2.0
    for k, item in enumerate(c):
        y = v if x < item else u
        y -= v
        z = y
        z[1] += item
    return np.sum(v * v) + np.sum(u)


ARGS = (-0.9, np.array([1.3, -0.4]))

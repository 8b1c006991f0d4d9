import numpy as np


# s2s: w (2,)
def f(w):
    def scaled(p, x):
        p *= x
        return np.sum(p)

    return scaled(np.linspace(0.3, 1.1, 4).reshape(4), np.sum(w))

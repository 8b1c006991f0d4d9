import numpy as np

RATE = 5.0


def decay(t, rate=2.0):
    return np.exp(-rate * t)


def total(t):
    return np.sum(decay(t) * RATE)


# s2s verify S212_default_rewritten.py::total --at "t=np.array([0.3, 0.8])"

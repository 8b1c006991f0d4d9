import numpy as np

RATE = 2.0


def decay(t, rate=RATE):
    return np.exp(-rate * t)


RATE = 5.0


def total(t):
    return np.sum(decay(t) * RATE)

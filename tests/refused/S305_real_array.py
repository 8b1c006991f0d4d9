import numpy as np


def wave(phase):
    out = np.zeros(2)
    out[0] = np.exp(1j * phase)
    return np.sum(out**2)

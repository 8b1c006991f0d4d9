import numpy as np


def wave(phase):
    out = np.zeros(2)
    out[0] = np.exp(1j * phase).real
    return np.sum(out**2)


# s2s verify S305_real_array_rewritten.py::wave --at "phase=0.7"

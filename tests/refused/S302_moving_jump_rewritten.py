import numpy as np
from scipy.integrate import quad


def dose(onset):
    return quad(lambda t: np.exp(onset - t), onset, 5.0)[0]


# s2s verify S302_moving_jump_rewritten.py::dose --at "onset=0.8"

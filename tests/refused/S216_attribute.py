import numpy as np


def damped(x):
    y = np.sin(x)
    return y.damping * 2.0

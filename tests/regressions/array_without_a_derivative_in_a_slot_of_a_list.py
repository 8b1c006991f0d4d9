import numpy as np


def f(w, W):
    c = W
    bufs = [c]
    bufs[0] = np.sin(np.arange(15).reshape(3, 5)).T
    buf = bufs[0]
    buf[0,] = w
    return np.sum(c * c) + np.sum(buf * buf)


ARGS = (np.array([1.236, -0.8769, 0.4]), np.arange(15.0).reshape(5, 3) * 0.1)

import numpy as np


def conv(x, w):
    """The sums of x in a sliding window, weighted with w."""
    windows = np.lib.stride_tricks.sliding_window_view(x, len(w))
    return windows @ w


# s2s: wrt=x,w x (n,), w (k,)
def misfit(x, w, y):
    """How far the blurred signal is from what was measured."""
    r = conv(x, w) - y
    return 0.5 * np.sum(r**2)

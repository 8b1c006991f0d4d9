"""A new array that a list holds before it is written: what was read through the list has to come back."""

import numpy as np


def f(x):
    hist = []
    s = 0.0
    for k in range(3):
        a = np.sin(x) * (k + 1.0)
        hist.append(a)
        s = s + np.sum(hist[k] ** 2)
        a[1:] = a[1:] * 0.5 + x[1:] ** 2
        s = s + np.sum(a**3)
    L = [np.cos(x), np.cos(x) * 2.0]
    b = np.sin(x)
    L[0] = b
    s = s + np.sum(L[0] ** 2)
    b[1:] = x[1:] ** 2
    return s + np.sum(L[0] ** 3) + np.sum(L[1])


ARGS = (np.array([0.9, 0.3, -1.4]),)

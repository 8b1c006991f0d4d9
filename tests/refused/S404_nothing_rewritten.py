import numpy as np


def count(x, limit):
    s = 0.0
    for v in x:
        s = s + 0.5 + 0.5 * np.tanh(10.0 * (v - limit))
    return s


# s2s verify S404_nothing_rewritten.py::count --at "x=np.array([0.3, 0.8, 0.5]), limit=0.45"

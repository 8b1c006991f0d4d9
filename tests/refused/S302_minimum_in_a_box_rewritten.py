import numpy as np
from scipy.optimize import brentq


def depth(k):
    return brentq(lambda x: 1.0 - k * np.exp(-k * x), 0.0, 5.0)


# s2s verify S302_minimum_in_a_box_rewritten.py::depth --at "k=1.8"

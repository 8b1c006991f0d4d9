"""Found by random programs: the tangent of math.exp wrote `math.tanh` for the function of an array in its argument."""

import math

import numpy as np


def f(row, b):
    return b * math.exp(-(np.prod(np.tanh(row)) ** 2)) + math.tanh(np.sum(np.cos(row)))


ARGS = (np.array([0.7, -1.2, 0.4]), 0.3)

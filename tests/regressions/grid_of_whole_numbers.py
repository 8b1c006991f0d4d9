"""The cotangent of a part that is not used was zeros of the dtype of x, into which a loop then added: of integers."""

import numpy as np


# s2s: x (3,)
def f(x):
    squares = [v * v for v in x]
    a, b = np.meshgrid(np.array(squares), x)
    return np.sum(a**2) * 1.5


ARGS = (np.array([0.7, 0.31, 0.52]),)

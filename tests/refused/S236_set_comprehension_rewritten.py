import numpy as np


def largest(x):
    squares = [v * v for v in x]
    return np.max(np.array(squares))


# s2s verify S236_set_comprehension_rewritten.py::largest --at "x=np.array([0.3, 0.8])"

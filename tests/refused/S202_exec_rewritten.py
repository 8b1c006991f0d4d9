import numpy as np


def f(x):
    y = 2.0 * x
    y[0] = x[1]
    return np.sum(y * y)


# s2s verify S202_exec_rewritten.py::f --at "x=np.array([0.7, 0.3])"

import numpy as np


def misfit(x, data):
    return np.sum((x - data) ** 2)


# s2s verify S406_data_rewritten.py::misfit --wrt x --at "x=np.array([0.3, 0.8]), data=np.array([1.0, 0.4])"

import numpy as np


def area(u, v):
    return np.sum(np.cross(u.T, v))


# s2s verify S302_option_rewritten.py::area --at "u=np.arange(12.0).reshape(3, 4), v=np.ones((4, 3))"

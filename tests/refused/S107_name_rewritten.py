import numpy as np

scale = 0.5


def area(r):
    return scale * np.pi * r**2


# s2s verify S107_name_rewritten.py::area --at "r=0.7"

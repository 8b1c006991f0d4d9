import numpy as np


def energy(x, n: int):
    y = np.array(x, dtype=float)
    return np.sum(y * y)


# s2s verify S302_type_of_whole_numbers_by_a_name_rewritten.py::energy --at "x=np.array([0.3, 1.7]), n=3"

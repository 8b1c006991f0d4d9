import numpy as np


def volume(x, n: int):
    planes = []
    for i in range(n):
        planes.append(np.array([[x * i, x], [x + i, x**2]]))
    return np.sum(np.array(planes) ** 2)


# s2s verify S233_table_rewritten.py::volume --at "x=0.7, n=3"

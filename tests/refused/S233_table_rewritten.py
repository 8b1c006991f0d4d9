import numpy as np


def table(x, m: int, n: int):
    L = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            L[i, j] = x**i * j
    return L[1, 2] * L[2, 1]


# s2s verify S233_table_rewritten.py::table --at "x=0.7, m=3, n=3"

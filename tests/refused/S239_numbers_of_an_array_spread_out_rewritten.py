import numpy as np


# s2s: x (n, 2)
def pairs(x):
    rows = []
    for r in x:
        rows.append(1.0 * r)
    x *= 2.0
    return sum(a * b for a, b in rows) + np.sum(x)


# s2s verify S239_numbers_of_an_array_spread_out_rewritten.py::pairs --at "x=np.array([[0.3, 0.8], [0.2, 0.7]])"

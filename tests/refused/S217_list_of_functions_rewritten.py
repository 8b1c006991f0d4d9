import numpy as np


def f(x, n: int):
    def law(v, k):
        return v * (k + 1) + np.sin(v)

    total = 0.0
    for k in range(n):
        total += law(x, k)
    return total


# s2s verify S217_list_of_functions_rewritten.py::f --at "x=0.7, n=3"

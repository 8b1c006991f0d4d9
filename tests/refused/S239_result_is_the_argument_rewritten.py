import numpy as np


def head(y, n):
    for k in range(n):
        if y[k] < 0.0:
            break
        if y[k] > 0.5:
            return y[k:].copy()
    return y[:2].copy()


def march(x, n: int):
    y = x**2
    h = head(y, n)
    y[0] = 5.0 * y[1]
    return np.sum(h**2)


# s2s verify S239_result_is_the_argument_rewritten.py::march --at "x=np.array([0.3, 0.8, 0.5]), n=2"

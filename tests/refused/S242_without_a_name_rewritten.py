import numpy as np


# s2s: w (2,)
def f(w):
    def scaled(p, x):
        p *= x
        return np.sum(p)

    a = np.linspace(0.3, 1.1, 4)
    return scaled(a, np.sum(w))


# s2s verify S242_without_a_name_rewritten.py::f --at "w=np.array([0.3, 0.8])"

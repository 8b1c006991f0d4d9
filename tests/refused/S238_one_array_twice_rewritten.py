import numpy as np


def step(u, v):
    u[1:] = v[:-1] * 2.0


def march(x):
    a = x**2
    step(a, a.copy())
    return np.sum(a**2)


# s2s verify S238_one_array_twice_rewritten.py::march --at "x=np.array([0.3, 0.8, 0.5])"

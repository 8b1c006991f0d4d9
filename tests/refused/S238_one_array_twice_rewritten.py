import numpy as np


def step(u, v, n):
    for k in range(n):
        u[1:] = v[:-1] * 2.0
        if u[1] > 1.0 or k > 5:
            break


def march(x, n: int):
    a = x**2
    step(a, a, n)
    return np.sum(a**2)


# s2s verify S238_one_array_twice_rewritten.py::march --at "x=np.array([0.3, 0.8, 0.5]), n=2"

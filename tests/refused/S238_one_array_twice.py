import numpy as np


def step(u, v):
    u[1:] = v[:-1] * 2.0


def march(x):
    a = x**2
    step(a, a)
    return np.sum(a**2)

import numpy as np


def mirror(first, last):
    first[0] = last[1]


def close(u):
    mirror(u, u)
    return u


# s2s: u (n,), k (n,)
def energy(u, k):
    close(u)
    return np.sum(k * u**2)


# s2s verify S238_in_a_tuple_rewritten.py::energy --at "u=np.array([0.3, 0.8, 0.5]), k=np.array([1.0, 2.0, 0.5])"

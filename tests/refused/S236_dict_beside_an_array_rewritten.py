import numpy as np


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    first = [u, 2.0 * u]
    first[0] = v
    first[0] += k * u
    return np.sum(v * v)


# s2s verify S236_dict_beside_an_array_rewritten.py::f --at "u=np.array([0.3, 0.7]), v=np.array([0.5, 0.2]), k=0.4"

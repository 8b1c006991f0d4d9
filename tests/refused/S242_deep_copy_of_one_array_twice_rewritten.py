import numpy as np


# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    other = v.copy()
    other[1] *= k
    return np.sum(other * other)


# s2s verify S242_deep_copy_of_one_array_twice_rewritten.py::f --at "x=np.array([0.4, 1.3, -0.7]), k=0.7"

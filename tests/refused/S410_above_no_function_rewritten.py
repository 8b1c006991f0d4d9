import numpy as np


# s2s: u (n,)
def total(u):
    return np.sum(u * u)


# s2s verify S410_above_no_function_rewritten.py::total --at "u=np.array([0.3, 0.8])"

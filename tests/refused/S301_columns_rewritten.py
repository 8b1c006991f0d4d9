import numpy as np


# s2s: v (n,), w (n,)
def f(v, w):
    table = np.column_stack([v, w])
    return np.sum(table**2)


# s2s verify S301_columns_rewritten.py::f --at "v=np.array([0.3, 0.8]), w=np.array([1.1, 0.4])"

import numpy as np


# s2s: v (3,)
def f(v):
    table = np.column_stack([np.arange(3), v])
    return np.sum(table**2)


# s2s verify S302_columns_rewritten.py::f --at "v=np.array([0.3, 0.8, 1.2])"

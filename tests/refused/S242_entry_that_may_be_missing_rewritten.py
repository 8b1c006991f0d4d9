import numpy as np


def loss(params, x):
    a = params.get("a", 2.0 * x).copy()
    a[0] = x[0] * x[1]
    return np.sum(a**2)


# s2s verify S242_entry_that_may_be_missing_rewritten.py::loss --at "params={'a': np.array([0.3, 0.4])}, x=np.array([0.7, 1.2])"

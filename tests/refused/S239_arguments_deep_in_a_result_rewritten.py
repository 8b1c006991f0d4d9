import numpy as np


def pairs(p, q):
    last = [p.copy()]
    return [[q.copy()], last]


# s2s: u (3,), v (3,)
def f(u, v, k: float):
    a = u * k
    b = v * k
    w = pairs(a, b)[0][0]
    a = b
    a[0] = k
    return np.sum(w**2) + np.sum(a)


# s2s verify S239_arguments_deep_in_a_result_rewritten.py::f --at "u=np.array([1.0, 2.0, 3.0]), v=np.array([0.4, 0.5, 0.6]), k=0.3"

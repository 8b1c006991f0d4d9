import numpy as np


# s2s: v (3,)
def f(v, keys):
    w = v
    w[1:] = w[1:] * v[0]
    picked = []
    for k in keys:
        picked.append(1.0 * w[k])
    return np.sum(picked[1])


# s2s verify S239_item_by_a_key_of_the_caller_rewritten.py::f --wrt v --at "v=np.array([1.3, -0.8, 0.4]), keys=[2, 0]"

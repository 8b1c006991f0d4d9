import numpy as np


def advance(state, x):
    a, s = state
    return np.sin(a * s), s + 0.3 * x


# s2s: w (3,)
def f(a: float, w, scale):
    state = (w.copy(), np.sum(w * w))
    for k in range(2):
        state = advance(state, scale)
    v, s = state
    ls = [s, a * a]
    ls[0] = ls[0] + a
    return np.sum(ls[0] * ls[1])

# s2s verify S230_item_of_a_tuple_of_a_helper_rewritten.py::f --at "a=0.4, w=np.array([1.3, -0.8, -0.3]), scale=0.6"

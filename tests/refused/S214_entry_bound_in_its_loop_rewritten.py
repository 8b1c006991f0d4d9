import numpy as np


def f(x, y):
    g = {"a": x, "b": x * 2.0}
    v = x
    for k in g:
        v = g[k]
        g["b"] = y
        if k == "b":
            break
    return np.sum(v**2)


# s2s verify S214_entry_bound_in_its_loop_rewritten.py::f --wrt y --at "x=0.3, y=0.7"

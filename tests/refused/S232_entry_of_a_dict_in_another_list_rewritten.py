import numpy as np


def _norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def energy(x, key: str):
    d = {}
    d[key] = 0.5 * x
    d["more"] = 2.0 * x
    return _norm(d)


# s2s verify S232_entry_of_a_dict_in_another_list_rewritten.py::energy --at 'x=np.array([0.3, 0.8]), key="first"'

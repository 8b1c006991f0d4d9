import numpy as np

TABLE = {"a": np.ones(2), "b": np.zeros(2)}


def energy(x, y):
    w = np.copy(TABLE.get("b"))
    w[0] = x
    return w[0] * y + x


# s2s verify S201_array_in_a_dict_of_the_module_rewritten.py::energy --at "x=0.7, y=1.2"

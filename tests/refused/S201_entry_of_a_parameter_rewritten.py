import numpy as np


def loss(params, x):
    b = params["b"].copy()
    b[0] = 0.0
    return np.sum((params["W"] * x + b) ** 2)


# s2s verify S201_entry_of_a_parameter_rewritten.py::loss --at 'params={"W": np.array([0.3, 0.5]), "b": np.array([1.1, -0.4])}, x=np.array([0.2, 0.9])'

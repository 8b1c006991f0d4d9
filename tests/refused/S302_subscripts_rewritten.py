import numpy as np


def contract(x):
    return np.einsum("i,i->", x, x)


# s2s verify S302_subscripts_rewritten.py::contract --at "x=np.array([0.3, 0.8, 0.5])"

import numpy as np

ACTIVATIONS = {"tanh": np.tanh, "sin": np.sin}


def layer(x, name):
    return ACTIVATIONS[name](x) * x


# s2s verify S217_getattr_rewritten.py::layer --at 'x=0.7, name="sin"'

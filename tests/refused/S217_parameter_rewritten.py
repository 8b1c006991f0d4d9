import numpy as np


def layer(x, activation=np.tanh):
    return activation(x) * x


# s2s verify S217_parameter_rewritten.py::layer --at "x=0.7"

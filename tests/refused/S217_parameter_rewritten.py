import numpy as np


# s2s: activation=np.tanh
def layer(activation, x):
    return activation(x) * x


# s2s verify S217_parameter_rewritten.py::layer --at "activation=np.tanh, x=0.7"

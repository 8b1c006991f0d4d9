import numpy as np


def damped(x, damping):
    y = np.sin(x)
    return y * damping * 2.0


# s2s verify S216_attribute_rewritten.py::damped --at "x=0.7, damping=0.3"

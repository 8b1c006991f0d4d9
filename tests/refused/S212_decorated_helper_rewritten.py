import numpy as np


def _apply(function, x):
    return 2.0 * (function(x) * x)


def energy(x):
    return _apply(np.sin, x)


# s2s verify S212_decorated_helper_rewritten.py::energy --at "x=0.7"

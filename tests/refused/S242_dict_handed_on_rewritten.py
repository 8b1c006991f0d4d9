import numpy as np


def loss(v, x: float):
    a = v * 1.0

    def mean(t):
        return np.mean(a * t)

    a[1] = x * x
    return np.sum(a**2) + mean(x)


# s2s verify S242_dict_handed_on_rewritten.py::loss --at "v=np.array([0.3, 0.5, 0.9]), x=0.7"

import numpy as np


def scale(layers: list[np.ndarray], k: float):
    layers = [v.copy() for v in layers]
    for layer in layers:
        layer[0] = k * layer[0]
    return layers


# s2s verify S402_arrays_in_a_list_rewritten.py::scale --at "layers=[np.array([0.7, 0.2]), np.array([0.4, 1.1])], k=0.3"

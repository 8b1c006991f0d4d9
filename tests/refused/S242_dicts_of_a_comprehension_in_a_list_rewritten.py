import numpy as np


def train(W, b, lr):
    layers = []
    for i in range(2):
        layers.append({"W": W * i, "b": b + i})
    velocities = [{"W": np.zeros_like(layer["W"]), "b": np.zeros_like(layer["b"])} for layer in layers]
    for _ in range(3):
        for layer, v in zip(layers, velocities):
            for key in layer:
                v[key] = 0.9 * v[key] - lr * layer[key]
                layer[key] = layer[key] + v[key]
    return np.sum(velocities[0]["W"]) + np.sum(layers[1]["b"] ** 2)


# s2s verify S242_dicts_of_a_comprehension_in_a_list_rewritten.py::train --at "W=np.array([[1.0, 2.0], [3.0, 4.0]]), b=np.array([1.0, 2.0]), lr=0.1"

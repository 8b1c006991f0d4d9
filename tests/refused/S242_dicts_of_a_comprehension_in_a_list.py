import numpy as np


def train(W, b, lr):
    layers = []
    for i in range(2):
        layers.append({"W": W * i, "b": b + i})
    velocities = [{k: np.zeros_like(v) for k, v in layer.items()} for layer in layers]
    for _ in range(3):
        for layer, v in zip(layers, velocities):
            for key in layer:
                v[key] = 0.9 * v[key] - lr * layer[key]
                layer[key] = layer[key] + v[key]
    return np.sum(velocities[0]["W"]) + np.sum(layers[1]["b"] ** 2)

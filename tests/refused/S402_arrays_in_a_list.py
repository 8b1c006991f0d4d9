import numpy as np


# s2s: of=layers emit=vjp
def scale(layers: list[np.ndarray], k: float):
    for layer in layers:
        layer[0] = k * layer[0]

import numpy as np


def loss(v, x: float):
    parts = {"a": v * 1.0, "s": x * v}

    def mean(t):
        return np.mean([np.mean(part) * t for part in parts.values()])

    parts["a"] = parts["a"] * x
    return np.sum(parts["a"] ** 2) + mean(x)


# s2s verify S201_entry_updated_in_place_rewritten.py::loss --at "v=np.array([0.3, 0.5, 0.9]), x=0.7"

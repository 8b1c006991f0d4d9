import numpy as np


def loss(rows, x: float):
    total = 0.0
    for row in rows:
        a = row["a"] * x
        total += np.sum(a**2) * row["b"]
    return total


# s2s verify S201_entry_updated_in_place_rewritten.py::loss --at "rows=[{'a': np.array([0.3, 0.5]), 'b': 1.5}], x=0.7"

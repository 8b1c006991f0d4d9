import numpy as np


def total(x: float, n: int):
    s = 0.0
    parts = []
    if n > 0:
        for j in range(2):
            parts.append(x * (n + j))
    if n >= 1:
        for j in range(2):
            s += np.sin(parts[j])
    return s


# s2s verify S236_made_in_a_branch_rewritten.py::total --at "x=0.7, n=2"

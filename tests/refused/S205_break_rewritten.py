import numpy as np


def square_until(x, n: int):
    for k in range(n):
        if x > 3.0:
            break
        with np.errstate(over="ignore"):
            x = x * x
    return x


# s2s verify S205_break_rewritten.py::square_until --at "x=1.3, n=6"

import numpy as np


def square_until(x, n: int):
    for k in range(n):
        with np.errstate(over="ignore"):
            if x > 3.0:
                break
            x = x * x
    return x

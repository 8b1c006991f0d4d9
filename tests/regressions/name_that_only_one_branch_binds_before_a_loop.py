import numpy as np

# The name is saved before each new binding; in the first iteration it may be unbound, or bound by the branch before.


def f(x: float, n: int):
    s = x
    if n > 3:
        y = np.sin(x)
        s = s * y * y
    for i in range(n):
        if i > 0 or n > 3:
            s = s + y * y
        y = np.cos(s)
        s = s * y
    if n > 2:
        y = s * s
        s = y * s
    return s


ARGS = (0.3, 2)
WRT = ("x",)

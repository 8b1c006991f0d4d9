"""range(n) is evaluated once, whatever the body does to n."""

import numpy as np


def f(x, n):
    s = x
    for k in range(n):
        n = n - 1
        s = s * x + n
    return s * n


ARGS = (1.2, 4)
WRT = ("x",)

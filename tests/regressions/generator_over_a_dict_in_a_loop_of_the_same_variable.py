"""What a generator over a dict of known keys binds was left in the variable of the loop around it, in the value, too;
and so was what a loop within a loop of the same variable should have left."""

import numpy as np


def f(x, y, p):
    s = 0.2
    g = {"a": x, "b": y * x}
    for k in range(3):
        for i in range(2):
            s = s * 0.5 + sum(i * y for k in g.values())
        s = s + k * x
    for k in range(2):
        for k in g:
            s = s + g[k]
        s = s * y + p[k]
    return s + max([v * y for v in (x, 2.0)])


ARGS = (1.3, 0.7, {"a": 0.3, "b": 0.4})
WRT = ("x", "y", "p")
SCALAR = True

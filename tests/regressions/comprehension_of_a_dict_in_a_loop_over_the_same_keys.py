"""The comprehension became a loop, whose variable was that of the loop around it: the entry read behind it was the last
one, in the value, too."""

import numpy as np


def f(p, x):
    s = 0.0
    for k in p:
        q = {k: 2.0 * v * x for k, v in p.items()}
        q["b"] = q["b"] * x
        s = s * 0.5 + np.sum(q[k] ** 2)
    return s


ARGS = ({"w": 0.3, "b": 0.4}, 1.3)
WRT = ("p", "x")
SCALAR = True

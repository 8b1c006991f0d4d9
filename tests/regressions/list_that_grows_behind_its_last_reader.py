"""A list is popped in a loop and appended to behind it: its cotangent began with as many items as it had in the end."""

import numpy as np


def f(x, y, u):
    rest = [x, y, x * y]
    s = 0.0
    for k in range(2):
        s = s + rest.pop() * u[k]
    rest.append(x)
    seen = [x]
    for _ in range(3):
        seen.append(s * x)
        s = s + seen[1] * y
    seen.append(y)
    return s


ARGS = (0.7, -0.4, np.array([0.3, -0.8]))

import numpy as np


# s2s: u (3,)
def f(x: float, u):
    a = next(q for q in u if q > 0.2)
    b = x * next((q * x for q in u if q > 5.0), 0.5)
    q = 0.3
    for item in u:
        q += a * next(q * item for q in [*u, 2.0] if q > 1.1 * item + 0.1 if q > 0.0)
    w = [0.5]
    c = next(k for k, v in enumerate([*w]) if v > 0.2)
    return a * b * q + x * c


ARGS = (0.7, np.array([-0.4, 0.9, 0.5]))

import numpy as np


def nothing(y):
    pass


# s2s: u (3,), v (3,)
def f(a: float, b: float, u, v):
    pair = [u[0], 1.5]
    c = pair[1]
    if np.sum(v**2) >= -a:
        k = c
    else:
        if not a > nothing(np):
            while np.abs(c) > 0.35:
                c = c / 1.6
            for _ in range(3):
                v = np.log(2.0 + v**2) * v
        elif c**3 > a:
            return 3.0
        k = b
    return np.sum(v * v) * np.sum(u)


WRT = ("u", "v")
ARGS = (0.3, 0.4, np.array([0.3, 1.8, -0.2]), np.array([0.5, 0.7, 0.9]))

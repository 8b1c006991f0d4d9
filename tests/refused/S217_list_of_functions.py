import numpy as np


def f(x, n: int):
    laws = []
    for i in range(n):

        def law(v, k=i):
            return v * (k + 1) + np.sin(v)

        laws.append(law)
    total = 0.0
    for chosen in laws:
        total += chosen(x)
    return total

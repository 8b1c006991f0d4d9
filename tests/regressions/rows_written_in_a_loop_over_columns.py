import numpy as np


# s2s: A (3, 4), b (4,)
def f(A, b):
    rows = [A[0], A[1]]
    last = A[2]
    for x, y in zip(*rows):
        last[...] = last * x * y + b
        rows[0][3] = last[0]
    for x, y, z in zip(*A):
        A[2] = A[2] * x * y + b * z
    return np.sum(A)


ARGS = (np.linspace(0.4, 0.9, 12).reshape(3, 4), np.array([0.5, -1.3, 0.8, 0.4]))

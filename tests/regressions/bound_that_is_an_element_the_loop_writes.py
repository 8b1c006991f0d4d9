"""range(int(A[0, 0])) is evaluated once, whatever is stored into A in the loop, through whichever name."""

import numpy as np


# s2s: A (3, 4), b (4,)
def f(A, b):
    first = A[0]
    for j in range(2):
        for i in reversed(range(int(first[0]), int(A[1, 1]) + 3)):
            A[0, 0] = A[0, 0] * 0.3 + 0.7 * b[i]
    return np.sum(A * A)


ARGS = (np.linspace(0.4, 0.9, 12).reshape(3, 4), np.array([2.5, -1.3, 0.8, 4.4]))

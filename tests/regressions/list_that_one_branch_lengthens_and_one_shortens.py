import numpy as np


# s2s: A (3, 4), b (4,)
def f(A, b):
    s = [b[0], b[1], b[2], b[3]]
    r = 0.0
    for k in range(3):
        if A[k, 0] > 0.5:
            s.append(A[k, 1] * s[-1])
        else:
            t = s.pop()
            r = r + t * A[k, 2]
    stack = [A[0].copy(), b * 2.0, b * 3.0, b]
    for k in range(3):
        if A[k, 0] > 0.5:
            stack.append(A[k] * stack[-1])
        else:
            t = stack.pop()
            t *= A[k]
            b += t
    return r + sum(s) + np.sum(b) + np.sum(stack[-1])


ARGS = (np.array([[0.7, 0.3, 0.5, 0.2], [0.1, 0.4, 0.9, 0.8], [0.6, 0.2, 0.3, 0.7]]), np.array([0.5, -1.3, 0.8, 0.4]))

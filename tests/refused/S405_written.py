def damped(A):
    B = A.copy()
    B[B < 0.0] *= 0.1
    return B

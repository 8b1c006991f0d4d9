def scale(A, b, flag):
    if flag:
        A = A * b
    return A.sum()

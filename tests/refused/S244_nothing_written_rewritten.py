def scale(A, b, flag):
    if flag:
        A = A * b
    return A.sum()


# s2s verify S244_nothing_written_rewritten.py::scale --wrt A,b --at "A=np.array([0.3, 0.8]), b=0.7, flag=True"

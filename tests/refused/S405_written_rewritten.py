def damped(A):
    B = A.copy()
    B[B < 0.0] *= 0.1
    return B.sum()


# s2s verify S405_written_rewritten.py::damped --at "A=np.array([[0.3, -0.8], [0.5, -0.2]])"

def clamped(x):
    y = x * 2.0
    y[[0, 2], 0] = 7.0
    return (y**2).sum()


# s2s verify S242_copy_of_rows_rewritten.py::clamped --at "x=np.arange(6.0).reshape(3, 2)"

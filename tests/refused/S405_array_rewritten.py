def residuals(x):
    return ((x[1:] - x[:-1]) ** 2).sum()


# s2s verify S405_array_rewritten.py::residuals --at "x=np.array([0.3, 0.8, 0.5])"

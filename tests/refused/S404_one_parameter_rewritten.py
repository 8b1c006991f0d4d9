def interpolate(x, y):
    k = int(y)
    t = y - k
    return x[k] * (1.0 - t) + x[k + 1] * t


# s2s verify S404_one_parameter_rewritten.py::interpolate --wrt y --at "x=np.array([0.3, 0.8, 0.5]), y=1.3"

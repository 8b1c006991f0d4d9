def smooth(x):
    return x[-3:].mean()


# s2s verify S304_method_rewritten.py::smooth --at "x=np.array([0.3, 0.8, 0.5, 0.1])"

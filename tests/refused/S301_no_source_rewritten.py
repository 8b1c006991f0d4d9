def smoothed(x):
    return 0.5 * x[1:] + 0.5 * x[:-1]


def smooth(x, data):
    return smoothed(x) * data


# s2s verify S301_no_source_rewritten.py::smooth --at "x=np.array([0.3, 0.8, 0.5]), data=np.array([1.1, 0.4])"

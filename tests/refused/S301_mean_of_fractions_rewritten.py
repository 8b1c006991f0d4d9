import statistics


def spread(xs):
    m = statistics.fmean(xs)
    return sum((v - m) ** 2 for v in xs)


# s2s verify S301_mean_of_fractions_rewritten.py::spread --at "xs=[0.4, 0.9, -0.5]"

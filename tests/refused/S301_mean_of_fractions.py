import statistics


def spread(xs):
    m = statistics.mean(xs)
    return sum((v - m) ** 2 for v in xs)

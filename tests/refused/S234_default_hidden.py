SIZE = 2.0


def scaled(x, size=SIZE):
    return x * size


def total(x):
    SIZE = 3.0 * x
    return scaled(x) * SIZE

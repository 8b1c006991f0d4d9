SIZE = 2.0


def scaled(x, size=SIZE):
    return x * size


def total(x):
    length = 3.0 * x
    return scaled(x) * length


# s2s verify S234_default_hidden_rewritten.py::total --at "x=0.7"

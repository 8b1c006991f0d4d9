def tanh(x):
    return x / (1.0 + x)


def energy(x, exact):
    if exact:
        from numpy import tanh
    else:
        from math import tanh
    return tanh(x) * x

def tanh(x):
    return x / (1.0 + x)


def energy(x):
    from numpy import tanh

    return tanh(x) * x

HISTORY = [0.0]


def energy(x):
    HISTORY[0] = x
    return x**3

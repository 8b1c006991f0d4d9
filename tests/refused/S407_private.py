def _energy(x):
    return x**2

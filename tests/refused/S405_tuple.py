def both(x):
    return x**2, x**3

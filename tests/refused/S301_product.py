import itertools


def pairs(x):
    s = 0.0
    for a, b in itertools.product(x, x):
        s = s + a * b**2
    return s

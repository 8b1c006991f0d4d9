import itertools


def pairs(x):
    s = 0.0
    for a, b in itertools.product(x * 2.0, x):
        s = s + a * b**2
    return s

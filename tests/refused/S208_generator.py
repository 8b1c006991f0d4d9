def powers(x, n: int):
    for k in range(n):
        yield x**k


def total(x, n: int):
    s = 0.0
    for p in powers(x, n):
        s = s + p
    return s

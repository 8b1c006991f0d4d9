def polynomial(x, *coefficients):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


def f(x, p: tuple):
    return polynomial(x, *p) ** 2

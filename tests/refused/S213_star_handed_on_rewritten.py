def polynomial(x, coefficients):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


def f(x, p: tuple):
    return polynomial(x, p) ** 2


# s2s verify S213_star_handed_on_rewritten.py::f --at "x=0.3, p=(0.4, 0.8)"

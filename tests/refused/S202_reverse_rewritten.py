def polynomial(a, b, c, x):
    coefficients = [a, b, c]
    coefficients = coefficients[::-1]
    y = 0.0
    for k in coefficients:
        y = y * x + k
    return y


# s2s verify S202_reverse_rewritten.py::polynomial --at "a=0.3, b=1.2, c=-0.5, x=0.8"

def polynomial(a, b, c, x):
    coefficients = [a, b, c]
    coefficients.reverse()
    y = 0.0
    for k in coefficients:
        y = y * x + k
    return y

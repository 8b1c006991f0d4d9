def f(x, y):
    s = x * y
    s *= (s := y) + x
    return s

def product(x, y):
    a, b = x, y
    return a * b


# s2s verify S220_too_many_rewritten.py::product --at "x=0.7, y=1.3"

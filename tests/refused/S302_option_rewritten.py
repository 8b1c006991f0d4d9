def largest(x, y):
    return (x if x * x > y * y else y) ** 2


# s2s verify S302_option_rewritten.py::largest --at "x=0.7, y=0.2"

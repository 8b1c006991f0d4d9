def f(x):
    return x * x


# s2s verify S106_nested_rewritten.py::f --at "x=0.7"

def twice(x):
    y = 2.0 * x
    return x + y


# s2s verify S218_read_before_rewritten.py::twice --at "x=0.7"

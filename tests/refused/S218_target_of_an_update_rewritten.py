def f(x, y):
    s = x * y
    new = y
    s *= new + x
    return s


# s2s verify S218_target_of_an_update_rewritten.py::f --at "x=0.7, y=-0.4"

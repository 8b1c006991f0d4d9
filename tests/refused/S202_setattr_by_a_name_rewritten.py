def f(x, name):
    values = {"low": x, "high": 2.0 * x}
    values[name] = x * x
    return values["low"] * values["high"]


# s2s verify S202_setattr_by_a_name_rewritten.py::f --at "x=0.7, name='low'"

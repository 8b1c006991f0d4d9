def f(x: float):
    return x * 2.0 * x


# s2s verify S301_float_of_a_text_rewritten.py::f --at "x=0.7"

def _rates(x):
    return {"in": x**2, "out": 2.0 * x}


def f(x, w):
    rates = _rates(x)
    rates["leak"] = w * x
    return sum(rates.values()) * rates["leak"]


# s2s verify S232_new_entry_by_a_second_name_rewritten.py::f --at "x=0.7, w=1.3"

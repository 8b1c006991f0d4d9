def total(rates):
    s = 0.0
    for k in ("in", "out"):
        s = s + rates[k] ** 2
    return s


# s2s verify S304_values_rewritten.py::total --at 'rates={"in": 0.4, "out": 0.3}'

def _rates(x):
    return {"in": x**2, "out": 2.0 * x}


def f(x, w):
    rates = _rates(x)
    more = rates
    more["leak"] = w * x
    return sum(rates.values()) * rates["leak"]

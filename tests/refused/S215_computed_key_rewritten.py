def flux(params, rates, name):
    return params["scale"] * rates[name]


# s2s verify S215_computed_key_rewritten.py::flux --wrt params --at 'params={"scale": 1.2}, rates={"in": 0.4, "out": 0.3}, name="in"'

def apply(x, kind):
    if "power" in kind:
        return x ** kind["power"]
    else:
        return x


# s2s verify S207_mapping_rewritten.py::apply --wrt x --at 'x=0.7, kind={"power": 3}'

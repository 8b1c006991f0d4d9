def apply(x, law):
    match law:
        case {"power": n}:
            return x**n
        case _:
            return x


# s2s verify S207_mapping_rewritten.py::apply --wrt x --at 'x=0.7, law={"power": 3}'

DEFAULTS = {"k": 1.0, "m": 2.0}


def spring(x, p):
    return p["k"] * x / p["m"]


def f(x: float, k: float):
    return spring(x, {**DEFAULTS, "k": k})


# s2s verify S303_joined_dicts_of_a_helper_rewritten.py::f --at "x=1.5, k=2.0"

# A helper that joins two dicts, of which the caller has made one: its entries are not those of the result.
DEFAULTS = {"k": 1.0, "m": 2.0}


def spring(x, defaults, given):
    p = defaults | given
    return p["k"] * x / p["m"]


def f(x: float, k: float):
    return spring(x, DEFAULTS, {"k": k})

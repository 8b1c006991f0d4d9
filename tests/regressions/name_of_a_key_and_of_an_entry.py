"""One name for the keys of a dict in one loop, and for its entries in the next one: its tangent was made like a text."""


def f(p: dict):
    for k in p:
        p[k] = p["b"] * p[k]
    for v, k in p.items():
        pass
    return k


ARGS = ({"a": 0.8, "b": 0.35},)

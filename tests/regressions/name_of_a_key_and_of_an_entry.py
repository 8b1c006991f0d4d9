"""One name for the keys of a dict in one loop, and for its entries in the next one, or for items of a list: its tangent
and its adjoint were made like a text."""


def f(p: dict):
    for k in p:
        p[k] = p["b"] * p[k]
    for v, k in p.items():
        pass
    m = [p["a"], k]
    for i, v in enumerate(m):
        pass
    for name, e in {"a": k, "b": p["b"]}.items():
        pass
    for i, name in enumerate(m):
        pass
    return k * v * name * e


ARGS = ({"a": 0.8, "b": 0.35},)

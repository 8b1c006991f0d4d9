"""The gradient took q for a number, as `q * y` is returned: the cotangent of the entry raised where q is a dict."""


def f(x: float, y: float, q) -> float:
    match q:
        case {"k": a, "b": b}:
            return a * x * b
        case None:
            return y
        case _:
            return q * y


ARGS = (1.3, 0.7, {"k": 0.5, "b": 1.2})
WRT = ("x", "y", "q")
SCALAR = True

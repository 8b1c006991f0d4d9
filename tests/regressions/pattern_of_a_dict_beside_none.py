"""`case {"k": a}` asked `"k" in q` of None, and of numbers: the derivative raised."""


def split(q, y):
    match q:
        case {"k": a}:
            return a * a
        case None:
            return y
        case _:
            return q * y


def f(x: float, y: float) -> float:
    o = None
    return split(o, y) * x + split({"k": x}, y) * split(y, x)


ARGS = (1.3, 0.7)
WRT = ("x", "y")
SCALAR = True

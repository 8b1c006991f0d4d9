"""`h = lambda t, q=s: ...` where h is bound once more: q was what s is at the call, silently."""


def f(x: float, y: float, n: int) -> float:
    s = x
    h = lambda t, q=s: t * q  # noqa: E731
    s = s * y
    if n > 4:
        h = lambda t: t * 2.0  # noqa: E731
    r = h(y) + s

    def g(t, q=s * y):
        return t * q

    s = s * y
    if n > 1:

        def g(t, q=s):
            return t * q * q

    s = s * s
    return g(y) * r + s


ARGS = (1.3, 0.7, 2)
WRT = ("x", "y")
SCALAR = True

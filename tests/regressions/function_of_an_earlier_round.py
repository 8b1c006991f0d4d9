"""`if i == 0: k = g`: k keeps what the g of that round was given in advance; it got that of each later round, silently."""

from functools import partial


def multiply(a, b):
    return a * b


def times(a):
    return lambda t: t * a


def f(x: float, y: float, n: int) -> float:
    r = 0.0
    s = x
    for i in range(n):
        g = partial(multiply, s)
        m = times(s)
        h = lambda t, q=s: t * q  # noqa: E731
        if i == 0:
            k = g
            fs = [m, h]
        s = s * y
        r += g(x) + k(y) + m(y) * fs[0](x) + h(x) * fs[1](y)
    return r


ARGS = (1.3, 0.7, 3)
WRT = ("x", "y")
SCALAR = True

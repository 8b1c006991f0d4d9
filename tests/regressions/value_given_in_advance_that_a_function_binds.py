"""`partial(product, y)`, and a default `y0=y`, where a function inside binds y anew: the new y was read at the call."""

from functools import partial


# s2s: x ()
def f(x):
    y = x
    s = x * 0.5

    def step(a, b):
        nonlocal y
        y = a * b
        return y

    part = partial(lambda a, b: a * b, y)
    scaled = lambda b, y0=y: y0 * b
    maker = (lambda y0: lambda b: y0 * b)(y)
    z = step(*(y, s)) + part(s)
    return z * y + scaled(s) * maker(x)


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

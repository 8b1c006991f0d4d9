"""`s, y = y, mixed()` where `mixed` is a function inside that reads s: the new s was read, as the names were bound in
turn; so were entries of dicts that functions inside read."""


def f(x):
    y = x * 1.5
    s = x
    d = {"a": x, "b": x * 2.0}
    scaled = [lambda t: t * y, lambda t: t * s + y]

    def mixed():
        return y * s + x

    def entries():
        if y > 0.1:
            return d["a"] * d["b"]
        return d["a"] * y

    def stepped():
        nonlocal y
        y = y * x
        return y + 1.0

    s, y = y, mixed()
    y, s = s * x, scaled[1](x)
    s, y = y, (lambda t: y * s + t)(x)
    d["a"], y = y * x, entries()
    d["a"], d["b"] = y * x, entries()
    y, s = s, stepped()
    s, y = stepped(), s
    return s + y * x + d["a"] * d["b"]


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

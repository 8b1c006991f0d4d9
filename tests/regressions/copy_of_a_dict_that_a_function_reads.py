"""`e = d.copy()` of a dict that a function inside reads was taken for an array: the derivative raised."""


def f(x, n):
    y = x * 1.5
    d = {"a": y, "b": x}

    def read():
        return d["a"] * y + d["b"]

    for _ in range(n):
        e = d.copy()
        d["a"] = e["a"] * read()
        d["b"] = e["b"] * y
        y = e["a"] + y * 0.1
    e = d.copy()
    e["a"] = e["a"] * x
    return y * read() + e["a"] * e["b"]


ARGS = (0.7, 2)
WRT = ("x",)
SCALAR = True

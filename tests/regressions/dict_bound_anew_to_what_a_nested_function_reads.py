"""`d = {"a": ..., "b": g()}` where g reads `d["a"]`: the call saw the new entry, silently."""


def f(x, y):
    d = {"a": x, "b": y}

    def g():
        return d["a"] * y

    d = {"a": 3.0 * x * x, "b": g()}
    return d["a"] * d["b"]


ARGS = (0.7, 1.3)
WRT = ("x", "y")
SCALAR = True

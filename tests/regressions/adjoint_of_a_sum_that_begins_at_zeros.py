"""What `sum` gives has no rank that is known: the zeros of its adjoint are an array of rank 0, which two numbers shared."""


def f(x, n):
    s = x
    p = x * x
    d = {"a": x * 1.5, "b": x}
    for _ in range(n):
        s = s * d["a"] + s
        p = sum(d.values())
        d = {"a": s * x, "b": s}
    return s + d["a"] * d["b"] + p * x


ARGS = (0.7, 3)
WRT = ("x",)
SCALAR = True

"""`f"{len(L)}"` behind `L.pop()`: the text was carried over as it stands, beside a list that keeps its items."""


def f(x):
    L = [x, x * 2.0, 0.3, x + 1.0]
    s = L.pop()
    n = int(f"{len(L)}")
    return s * L[-1] * n


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

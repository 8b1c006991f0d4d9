"""`n = len(L); n -= 1; print(f"{n} left")`: the position of a list that is taken apart was written as pops, and the text
that reads it raised a NameError."""


def f(x):
    L = [x, x * 2.0, 0.3, x + 1.0]
    n = len(L)
    n -= 1
    print(f"{n} left")
    return x * x


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

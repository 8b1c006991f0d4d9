"""The adjoint of a list got the caller's cotangent itself, and `x_bar += t_bar` changed it where it is of rank 0."""


def f(x):
    t = x
    items = [x]
    while items:
        t += items.pop()
    return t


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

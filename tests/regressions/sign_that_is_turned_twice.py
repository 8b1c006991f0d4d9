"""x = -(-x) in a loop: the adjoint of x stays as it is, and the checker knows that it may."""


def f(x, n: int):
    y = 0.0
    for _ in range(n):
        x = -(-x)
        y = y + x * x
        x = +x
    return y


ARGS = (0.7, 3)
WRT = ("x",)

"""A cotangent that is an array of rank 0 was put on a list of adjoints itself, and added to there in place."""


def f(x, y, n):
    items = [x * k for k in range(1, n)]
    t = y
    for p in items:
        t = p
    while items:
        t += items.pop()
    return t


ARGS = (1.5, 0.5, 4)
WRT = ("x", "y")
SCALAR = True

"""The append of a list that the reverse sweep shortens was dropped as dead: only the name that saves it is read."""


def f(x: float, a: float, n: int) -> float:
    L = [x]
    q = a * x
    if n > 2:
        L.append(q)
        L = [a]
    return L[0]


ARGS = (1.3, 0.4, 3)
WRT = ("x", "a")
SCALAR = True

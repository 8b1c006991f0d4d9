"""A read at a position that counts down from the end is written as a pop: in a test it was not, and the position gone."""


def f(x: float, y: float, n: int) -> float:
    K = [x, y, x * y]
    k = len(K)
    z = x
    for _ in range(n):
        k -= 1
        if K[k] > 0.8:
            z = z * y
        else:
            z = z + y * x
    return z * x


ARGS = (1.3, 0.7, 2)
WRT = ("x", "y")
SCALAR = True

"""What is evaluated before a call was given a name, and the statement that binds it was left out with the call's."""


def g(y, c):
    return y * c


def f(a: float, y: float, c: float):
    if a > (y if y < (g(y, c) < a) else c):
        s = a * a
    else:
        s = 3.0 * a
    return s * y


ARGS = (0.7, 1.3, 0.4)
WRT = ("a", "y")

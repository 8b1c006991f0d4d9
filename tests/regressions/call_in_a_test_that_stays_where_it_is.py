"""What is evaluated before a call was given a name, and the statement that binds it was left out with the call's."""


def g(w, p, x=0.8):
    return w


def f(a: float, y: float, params):
    if a > (y if y < g(a, params, x=y) else 0.5 * y):
        a = a * a
    return a * y


ARGS = (0.7, 1.3, {"scale": 0.4})
WRT = ("a", "y")

"""Entries of a dict parameter that a helper reads under a text, in loops: the gradient was that of an array,
and raised."""


def item(d, k):
    return d[k]


def other(k, d):
    return item(d, k) * 2.0


def f(x, p):
    s = 0.2
    for i in range(2):
        s = s * 0.5 + x * item(p, "a")
    return s + other("b", p) + sum([other("a", p) for i in range(2)])


ARGS = (0.7, {"a": 0.8, "b": 0.35})

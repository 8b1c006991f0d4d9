"""A parameter that is a dict by its annotation, and looped over: it was asserted to be an array, or no dict."""


def item(d, k):
    return d[k]


def f(x, p: dict, q: dict[str, float], r: dict):
    s = 0.2
    for k in p:
        if k == "a":
            s = s * x
    for i, k in enumerate(r):
        s = s + i * item(r, k) * x
    for k in q:
        s = s + x * (k > "a")
        last = k
    if last == "b":
        s = s * x
    return s


ARGS = (0.7, {"a": 0.8, "b": 0.35}, {"a": 0.8, "b": 0.35}, {"a": 0.8, "b": 0.35})
WRT = ("x", "r")

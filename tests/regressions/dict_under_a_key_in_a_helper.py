"""What a helper reads under a key is a dict that the function fills, or that it reads under the keys of another: the
cotangent was that of an array, and raised."""


def item(d, k):
    return d[k]


def entry_and_tangent(d, k, d_dot):
    return d[k], 1.0 * d_dot[k]


def f(x, p: dict, q, r: dict):
    s = 0.2
    for i in p:
        p[i] = x * p[i]
        s = s + item(p, i)
    s = s + item(p, i)
    keys = list(r)
    for i, k in enumerate(keys):
        a, b = entry_and_tangent(r, k, q)
        s = s + i * x * a * b
    return s


ARGS = (0.7, {"a": 0.8, "b": 0.35}, {"a": 0.6, "b": 0.4}, {"a": 0.8, "b": 0.35})
WRT = ("x", "p", "q", "r")

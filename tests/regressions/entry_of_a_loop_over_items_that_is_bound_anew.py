"""`for k, q in d.items(): d[k] += s`, and q read behind it: the new entry was read, as the loop was written out with the
variable of the entry in the place of q."""


def f(x):
    s = x
    d = {"a": x * 1.5, "b": x}
    for k, q in d.items():
        d[k] += s
        s += q * x
    for q in d.values():
        for k in d:
            d[k] = d[k] * s
        s += q * x
    for k, q in d.items():
        if q > 0.1:
            d[k] = s
        s += q * x
    return s + d["a"] * d["b"]


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

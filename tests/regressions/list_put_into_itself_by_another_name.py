"""`v[:] = v` of a list that has another name: its cotangents were set to zero behind being added."""


def f(k, x):
    u = [k, 2.0 * k * x]
    v = u
    v[:] = v
    return v[0] * 3.0 + v[1] ** 2


ARGS = (0.7, 1.3)

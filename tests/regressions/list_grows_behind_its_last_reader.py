"""Lists that get items behind the last statement that hands them an adjoint: the adjoint began as long as the list had
become, and its items were taken from the wrong end."""


def early(x, q):
    t = [q * v for v in x]
    if q > 0.5:
        return t[1]
    t.append(0.2)
    return t[0] * q


def other(x, q):
    t = [q * v for v in x]
    if q > 0.7:
        t.append(0.2)
        s = q
    else:
        s = t[1] * q
    return s


def f(x, q: float):
    t = [q * v for v in x]
    u = [q - v for v in x]
    w = [v * v for v in x]
    s = t[0] * q + w[1]
    if q > 0.45:
        t.append(t[0])
    if q > 0.4:
        s = s + u[0] * q
        u.append(q * q)
    else:
        s = q * 2.0
    for i in range(3):
        w.append(w[i])
    return s + early(x, q) + other(x, q)


ARGS = ([0.5, 1.2, -0.3], 0.6)

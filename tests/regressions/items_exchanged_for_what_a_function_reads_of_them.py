"""`L[:] = [L[1], mixed(L)]`: the adjoint that the function gives for the list is one of all items; an assertion failed."""


def mixed(L):
    if L[0] > 0.1:
        return L[0] * L[1] + L[0]
    return L[0]


def f(x):
    L = [x, x * 2.0]
    L[0], L[1] = x * 3.0, mixed(L)
    L = [L[1], mixed(L)]
    L[:] = [L[1], mixed(L)]
    L = [q * mixed(L) for q in L]
    a, *L = mixed(L), L[0], mixed(L)
    return L[0] * L[1] * a


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

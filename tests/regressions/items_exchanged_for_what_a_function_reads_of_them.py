"""`L[:] = [L[1], mixed(L)]`: the adjoint that the function gives for the list is one of all items; an assertion failed."""


def mixed(L):
    if L[0] > 0.1:
        return L[0] * L[1] + L[0]
    return L[0]


# s2s: x ()
def f(x):
    L = [x, x * 2.0]
    L = [L[1], mixed(L)]
    L[:] = [L[1], mixed(L)]
    return L[0] * L[1]


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

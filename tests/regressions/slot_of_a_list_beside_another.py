"""A slot of a list is bound anew while its neighbour is read: nothing is saved, and the checker knows that it may."""


def f(b: float, n: int):
    ls = [b, 0.5 * n, b * b]
    ls[2] = ls[1] * b
    return ls[0] * ls[2] + ls[1]


ARGS = (0.7, 3)
WRT = ("b",)

"""The branch lost its only statement, a call that does nothing, and s2s failed."""


def same(q, t):
    return q


def f(x, k):
    if k > 0.4:
        same(x, 0.7)
    return x * k


ARGS = (0.9, 0.6)

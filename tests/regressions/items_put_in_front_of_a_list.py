"""The cotangent of what is put in front is no part of that of the rest: the checker took both for one (I6)."""


def insert(K, q):
    K.insert(0, q)
    return K[1]


def f(x):
    K = [0.3, x * x]
    return insert(K, x) * insert(K, x) + insert(K, x) + K[2] * K[-1]


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True

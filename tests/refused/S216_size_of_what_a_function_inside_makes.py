from types import SimpleNamespace


def f(x):
    def inner(a):
        return SimpleNamespace(size=a, shape=2.0 * a)

    boxes = list(map(inner, x))
    return boxes[0].size * boxes[1].shape

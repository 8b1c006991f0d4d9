class Steps:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        if i >= 2:
            raise IndexError
        return self.xs[i] ** 2


def f(xs):
    s = Steps(xs)
    return sum(s)

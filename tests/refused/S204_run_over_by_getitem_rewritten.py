class Steps:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        if i >= 2:
            raise IndexError
        return self.xs[i] ** 2


def f(xs):
    s = Steps(xs)
    return sum(s[k] for k in range(2))


# s2s verify S204_run_over_by_getitem_rewritten.py::f --at "xs=np.array([0.4, 0.9, -0.5])"

class Law:
    def __init__(self, k: float):
        self.k = k

    def force(self, x):
        return self.k * x


class Damped(Law):
    def force(self, x):
        return 0.9 * Law.force(self, x)


class Stiff(Law):
    def force(self, x):
        return Law.force(self, x) ** 3


class Both(Damped, Stiff):
    pass


def work(k: float, x: float):
    law = Damped(k)
    return law.force(x) * x


# s2s verify S217_super_rewritten.py::work --at "k=0.4, x=0.7"

class Law:
    def __init__(self, k: float):
        self.k = k

    def force(self, x):
        return self.k * x


class Damped(Law):
    def force(self, x):
        return 0.9 * super().force(x)


class Stiff(Law):
    def force(self, x):
        return super().force(x) ** 3


class Both(Damped, Stiff):
    pass


def work(k: float, x: float):
    law = Damped(k)
    return law.force(x) * x

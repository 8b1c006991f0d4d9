class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


class Cubic:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x**3


def f(k, x):
    return Cubic(k).energy(x)


# s2s verify S217_class_under_another_name_rewritten.py::f --at "k=1.3, x=0.7"

class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


class Chain(Spring):
    def __len__(self):
        return 0


def energy(x, spring):
    return spring.energy(x)


def f(k, x):
    return energy(x, Spring(2.0)) + energy(x, Spring(2.0))


# s2s verify S304_object_that_may_be_false_rewritten.py::f --at "k=1.3, x=0.7"

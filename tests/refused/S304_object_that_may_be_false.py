class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


class Chain(Spring):
    def __len__(self):
        return 0


def energy(x, spring=None):
    spring = spring or Spring(2.0)  # not the chain, which is false
    return spring.energy(x)


def f(k, x):
    return energy(x, Chain(k)) + energy(x)

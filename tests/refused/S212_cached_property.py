from functools import cached_property


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @cached_property
    def energy(self):
        return 0.5 * self.stiffness**2


def work(k):
    spring = Spring(k)
    before = spring.energy
    spring.stiffness = 2.0 * k
    return spring.energy - before * k

class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @property
    def energy(self):
        return 0.5 * self.stiffness**2


def work(k):
    spring = Spring(k)
    before = spring.energy
    spring.stiffness = 2.0 * k
    return spring.energy - before * k


# s2s verify S212_cached_property_rewritten.py::work --at "k=0.7"

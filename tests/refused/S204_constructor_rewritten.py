class Rod:
    def __init__(self, length):
        self.length = length


def energy(x):
    rod = Rod(abs(x))
    return rod.length**2


# s2s verify S204_constructor_rewritten.py::energy --at "x=0.7"

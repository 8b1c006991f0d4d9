class Lens:
    def __init__(self, power):
        self.power = power

    def trace(self, y):
        return y - self.power * y**3


def f(y, power):
    lens = Lens(power)
    return lens.trace(y) + y**2


# s2s verify S216_method_of_an_object_of_the_module_rewritten.py::f --at "y=0.7, power=0.2"

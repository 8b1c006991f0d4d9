class Gain:
    def __init__(self, k):
        self.k = k

    def __mul__(self, y):
        return self.k * y**3


def f(y, k):
    return Gain(k) * y + y


# s2s verify S217_operator_of_an_object_of_the_module_rewritten.py::f --at "y=0.7, k=0.2"

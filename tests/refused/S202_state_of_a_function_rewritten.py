class Running:
    def __init__(self, start):
        self.total = start

    def add(self, x):
        self.total = self.total * x
        return self.total


def product(x, y):
    adders = [Running(x), Running(y)]
    return adders[0].add(y) * adders[0].add(y) * adders[1].add(x)


# s2s verify S202_state_of_a_function_rewritten.py::product --at "x=0.7, y=0.4"

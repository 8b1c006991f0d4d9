import numpy as np


class Net:
    def __init__(self, w):
        self.w = w

    def weights(self):
        return self.w


NET = Net(np.ones(2))


def energy(x, y):
    w = np.copy(NET.weights())
    w[0] = x
    return w[0] * y + x


# s2s verify S201_array_that_an_object_of_the_module_has_rewritten.py::energy --at "x=0.7, y=1.2"

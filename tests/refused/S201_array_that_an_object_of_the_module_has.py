import numpy as np


class Net:
    def __init__(self, w):
        self.w = w

    def weights(self):
        return self.w


NET = Net(np.ones(2))


def energy(x, y):
    w = NET.weights()
    w[0] = x
    return NET.weights()[0] * y + x

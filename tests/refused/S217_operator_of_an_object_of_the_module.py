class Gain:
    def __init__(self, k):
        self.k = k

    def __mul__(self, y):
        return self.k * y**3


GAIN = Gain(0.2)


def f(y):
    return GAIN * y + y

import numpy as np


class Tank:
    def __init__(self, level):
        self.level = level

    def flow(self, x):
        return np.sqrt(self.level) * x


def drain(tank, x):
    out = tank.flow(x)
    tank.level = tank.level - out
    return out


# s2s: h (3,)
def run(h, rate: float):
    tank = Tank(h[0])
    level = h
    level[1] += drain(tank, rate) * h[1]
    return level[1] * tank.level

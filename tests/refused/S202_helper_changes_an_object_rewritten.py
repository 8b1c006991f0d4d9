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
    out = drain(tank, rate)
    level[1] += out * h[1]
    return level[1] * tank.level


# s2s verify S202_helper_changes_an_object_rewritten.py::run --at "h=np.array([0.4, 0.9, 0.5]), rate=0.3"

import copy


class Cell:
    def __init__(self, rate, levels):
        self.rate = rate
        self.levels = levels

    @property
    def size(self):
        return self.rate + self.levels[-1]


def grown(x, levels):
    return x**2 + copy.copy(Cell(x, levels)).size

class Cell:
    def __init__(self, radius):
        self.radius = radius

    @property
    def size(self):
        return self.radius**3


class Tissue:
    def __init__(self, cells):
        self.cells = [*cells]


def volume(r):
    tissue = Tissue([Cell(r), Cell(2.0 * r)])
    total = 0.0
    for cell in tissue.cells:
        total = total + cell.size
    return total

class Cell:
    def __init__(self, low, high):
        self.low = low
        self.high = high


def f(x, name):
    cell = Cell(x, 2.0 * x)
    setattr(cell, name, x * x)
    return cell.low * cell.high

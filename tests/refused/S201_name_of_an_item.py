class Cell:
    def __init__(self, level):
        self.level = level


def f(x, n: int):
    cells = [Cell(x * k) for k in range(n)]
    first = cells[0]
    cells.append(Cell(x))
    for cell in cells:
        cell.level = cell.level + first.level
    return sum(cell.level for cell in cells)

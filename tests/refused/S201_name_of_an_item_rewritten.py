class Cell:
    def __init__(self, level):
        self.level = level


def f(x: float, n: int):
    cells = [Cell(x * k) for k in range(n)]
    cells.append(Cell(x))
    for cell in cells:
        cell.level = cell.level + cells[0].level
    return sum(cell.level for cell in cells)


# s2s verify S201_name_of_an_item_rewritten.py::f --at "x=0.3, n=3"

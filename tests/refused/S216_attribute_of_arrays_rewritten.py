class Cell:
    def __init__(self, rate, levels):
        self.rate = rate
        self.levels = levels

    @property
    def size(self):
        return self.rate + self.levels[-1]


def grown(x, levels):
    cell = Cell(x, levels)
    return x**2 + cell.size


# s2s verify S216_attribute_of_arrays_rewritten.py::grown --at "x=0.4, levels=np.array([0.2, -0.3])"

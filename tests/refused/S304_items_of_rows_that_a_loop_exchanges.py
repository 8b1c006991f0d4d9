class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x * x


class Rope(Spring):
    def energy(self, x):
        return self.k * x


def f(x, w):
    grid = [[Spring(v * u) for v in x] for u in x]
    for row in reversed(grid):
        row[0] = Rope(w)
    e = 0.0
    for row in grid:
        for s in row:
            e = e + s.energy(w)
    return e

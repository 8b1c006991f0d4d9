class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def length(x, y):
    a = Point(x, y)
    moved = lambda step: a + Point(step, 1.0)
    b = moved(y)
    return b.x**2 + b.y**2
